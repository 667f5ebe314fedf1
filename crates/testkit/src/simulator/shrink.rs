//! Reduces a failing story to a minimal one that fails in the same way.

use crate::simulator::checks::verdict;
use crate::simulator::story::Story;

/// Removes steps, faults and settings while the story still has a violation of this kind.
pub fn shrink(story: &Story, kind: &str) -> Story {
    let fails = |story: &Story| verdict(story).iter().any(|violation| violation.kind == kind);
    let mut small = story.clone();
    loop {
        let before = small.clone();
        small = fewer_steps(small, &fails);
        small = fewer_faults(small, &fails);
        small = simpler_setting(small, &fails);
        if small == before {
            return small;
        }
    }
}

fn fewer_steps(mut story: Story, fails: &impl Fn(&Story) -> bool) -> Story {
    let mut size = story.steps.len().next_power_of_two() / 2;
    while size > 0 {
        let mut at = 0;
        while at < story.steps.len() {
            let mut less = story.clone();
            less.steps.drain(at..(at + size).min(story.steps.len()));
            if fails(&less) { story = less } else { at += size }
        }
        size /= 2;
    }
    story
}

fn fewer_faults(mut story: Story, fails: &impl Fn(&Story) -> bool) -> Story {
    for step in 0..story.steps.len() {
        for nth in (0..story.steps[step].action.faults().len()).rev() {
            let mut less = story.clone();
            if let Some(faults) = less.steps[step].action.faults_mut() {
                faults.remove(nth);
            }
            if fails(&less) {
                story = less;
            }
        }
    }
    story
}

/// Resets each setting to its default if possible.
fn simpler_setting(mut story: Story, fails: &impl Fn(&Story) -> bool) -> Story {
    let changes: [fn(&mut Story); 8] = [
        |story| story.setting.has_dice_secret = false,
        |story| story.setting.has_state_branch = false,
        |story| story.setting.uses_token_of_player = false,
        |story| story.setting.lets_anyone_open = false,
        |story| story.setting.comments_per_page = 100,
        |story| story.setting.max_reply_bytes = None,
        |story| story.setting.switches_account = false,
        |story| story.setting.needs_label = false,
    ];
    for change in changes {
        let mut plain = story.clone();
        change(&mut plain);
        if plain != story && fails(&plain) {
            story = plain;
        }
    }
    story
}
