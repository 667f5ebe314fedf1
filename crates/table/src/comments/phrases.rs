//! The table of phrases: what people write, and what it means. The functions below look words up in it.

use std::collections::HashMap;
use std::sync::LazyLock;
use std::time::Duration;

use Meaning::{
    Acknowledgement, Anyone, Casual, CellWord, Challenge, Command, Computer, Confirmation, Connective, Counted,
    DrawOffer, DrawSign, Friendly, Greeting, Interjection, Joining, Later, LeadIn, Misnomer, MoveLeadIn, Negation, No,
    Off, Okay, On, Pass, PerMove, Points, Polite, Praise, Preposition, Ready, Smiley, StartsGame, Synonym, TimeUnit,
    Turn, Wish, Yes, YesToDraw, YesToProposal, YesToResignation, YesToTakeback,
};

/// The meaning of a phrase. A phrase with several meanings is in several rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Consent.
    Yes,
    /// Consent to a suggestion of the bot, such as "Did you mean `Nf3`?". It doesn't answer an opponent.
    Confirmation,
    /// Refusal.
    No,
    /// Refusal for now. It refuses an offer, but not an invitation.
    Later,
    /// Words that accept an invitation, or the move that the bot suggests. While an offer is open, they may be about the
    /// move that came with it instead.
    Okay,
    /// Thanks and praise, which accept an invitation. Elsewhere they may be about anything.
    Acknowledgement,
    /// Words that take a seat, reserved for their author or open.
    Joining,
    /// Words that accept an invitation. At an open seat, they may be about anything.
    Ready,
    /// Words that may follow a consent to a draw.
    YesToDraw,
    /// Words that may follow a consent to a takeback.
    YesToTakeback,
    /// Words that may follow a consent to a resignation.
    YesToResignation,
    /// Words that may follow a consent to a double.
    YesToProposal,
    /// Words after a move that offer a draw.
    DrawOffer,
    /// A sign after a move that offers a draw.
    DrawSign,
    /// Friendly words, which people write beside a move without asking for anything.
    Friendly,
    /// Part of a friendly text that praises the opponent's move. A comment with such words and that move's notation only talks
    /// about the move.
    Praise,
    /// A greeting, which a name may follow.
    Greeting,
    /// Words that may precede a move: `I play Nf3`.
    MoveLeadIn,
    /// A word that may precede the words for a command.
    Interjection,
    /// Words that lead up to the words for a command: `how do I resign`, `can I have a hint`.
    Wish,
    /// A word that may follow any command.
    Polite,
    /// A smiley with a letter or sign in it, which doesn't count as punctuation.
    Smiley,
    /// A wish to pass.
    Pass,
    /// A word that names a cell together with numbers: `row 4 column 8`.
    CellWord,
    /// A word beside a move that its author doesn't want to play: `not e4 again`.
    Negation,
    /// A word for what a number beside it counts, besides units of time and points. Such a number isn't a cell: `level 8`.
    Counted,
    /// Words for the command with this word. The bot suggests it, or answers at once if it only shows something.
    Command(&'static str),
    /// Another word for a command, with its slash, or several words; most are from chess sites.
    Synonym(&'static str),
    /// A word with a slash that people write instead of a command. The bot suggests the command.
    Misnomer(&'static str),
    /// Another word for `/new`, if a game's name follows.
    StartsGame,
    /// Another word for `/new`, which counts only at the beginning of a new issue.
    Challenge,
    /// A word that leads up to a game's name.
    LeadIn,
    /// A word after `/new` that only connects others.
    Connective,
    /// A word that connects an opponent with the game after it: `@bob to a game of chess`.
    Preposition,
    /// A word that asks for any opponent.
    Anyone,
    /// A word for the computer.
    Computer,
    /// A word for a game with `rated=no`.
    Casual,
    /// A value that turns an option on.
    On,
    /// A value that turns an option off.
    Off,
    /// The unit of a match's length.
    Points,
    /// What a time limit is for.
    Turn,
    /// Words after a time limit for each move.
    PerMove,
    /// A unit of time, of this length.
    TimeUnit(Duration),
}

/// The longest phrase at the end of a text that is looked for, in words.
const MAX_PHRASE: usize = 8;

/// What people write, by its meaning, with commas between the phrases. A phrase is in lowercase and without apostrophes and
/// punctuation, because most texts are compared as [`words_of`] returns them.
const PHRASES: &[(Meaning, &str)] = &[
    // Answers to a question.
    (Yes, "yes, yes please, yes of course, y, yeah, yep, yup, sure, sure thing, ok sure, of course, absolutely"),
    (Yes, "gladly, with pleasure, sounds good, fine with me, accept, accepted, i accept, agree, agreed, i agree"),
    (Yes, "deal"),
    (Yes, "yess, yea, ya, why not, si, sí, ja, oui, da, да, sim, tak, hai, はい, 是"),
    (Confirmation, "yes i did, i did, yes do it, do it, please do, go for it, exactly, thats right, right"),
    (Confirmation, "im sure, yes im sure, i said yes, yes sir, play it, go ahead, that one, the first one, ye"),
    (Confirmation, "mhm, uh huh"),
    (Confirmation, "affirmative, true, ✅, jawohl, yes that one, yes thats it, thats it, thats what i meant"),
    (Confirmation, "please"),
    (Confirmation, "correct, confirm, confirmed, indeed"),
    (No, "no, no thanks, no thank you, no way, no sorry, sorry no, n, nope, nah, decline, declined, i decline, 👎"),
    (No, "id rather not, rather not, i refuse, refuse, refused, i dont want to, i dont want to play"),
    (No, "never, lets play on, lets play on a bit, keep playing, id rather play, you wish, in your dreams, lol no"),
    (No, "too late"),
    (No, "touch move, touch move rule, a move is a move, not allowed, not now thanks, sorry no time"),
    (No, "dont want to play"),
    (No, "i cant play, i cannot play, not interested, im not interested, never mind, nevermind, non, nein, nee"),
    (No, "нет"),
    (Later, "later, maybe later, maybe, perhaps, tomorrow, not now, not yet, not today, not right now"),
    (Later, "not at the moment, sorry not now, sorry not yet"),
    (Okay, "ok, okay, okey, ok then, k, kk, fine, alright, all right, 👍"),
    (Acknowledgement, "ok thanks, thanks, thank you, thx, ty, cool, great"),
    (Joining, "join, joined, ill join, i join, im in, im joining, count me in, ill play, i play, i will play"),
    (Joining, "youre on, love to, gerne, ill bite"),
    (Joining, "i want to play, i want to join, i would like to play, i would like to join, id like to play"),
    (Joining, "id like to join, id love to play, id love to join, can i play, can i join, may i play, may i join"),
    (Joining, "could i play, could i join, i accept the challenge, challenge accepted, ill take the seat"),
    (Joining, "ill take the open seat, ill take that seat, let me play, let me join, me too"),
    (Ready, "im ready, ready, game on, lets go, lets play, lets do it, lets do this, bring it on, happy to play"),
    (Ready, "id love to"),
    (YesToDraw, "draw, a draw, draw agreed, draw accepted, its a draw, draw it is, a draw it is, a draw is fine"),
    (YesToDraw, "works for me, fair enough, ill take it, daccord, vale, lets do that, 🤝"),
    (YesToDraw, "lets draw, lets call it a draw, i accept the draw, accept the draw"),
    (YesToTakeback, "take it back, you can take it back, you may take it back, you may"),
    (YesToTakeback, "go for it, granted, allowed, be my guest, np, no problem, kein problem, bien sûr, bien sur"),
    (YesToTakeback, "claro"),
    (YesToResignation, "i accept the resignation, accept the resignation"),
    (
        YesToProposal,
        "i take, i take it, ill take it, i accept the double, accept the double, the double, double, the cube, cube",
    ),
    // A draw offer after a move.
    (DrawOffer, "draw, a draw, draw offer, draw offered, offer draw, offering draw, offering a draw, offer a draw"),
    (DrawOffer, "i offer draw, i offer a draw, i offer you a draw, id like to offer a draw"),
    (DrawOffer, "i would like to offer a draw, with draw offer, with a draw offer, do you want a draw"),
    (DrawOffer, "do you accept a draw, would you accept a draw, would you like a draw, want a draw"),
    (DrawOffer, "care for a draw"),
    (DrawOffer, "fancy a draw, how about a draw, what about a draw, shall we draw, shall we call it a draw"),
    (DrawOffer, "lets draw, lets call it a draw, remis, nulle, tablas, patta, ничья"),
    (DrawSign, "(=), =, 1/2, (1/2), 1/2-1/2"),
    // Friendly words.
    (Friendly, "hi, hello, hey, hey there, hi there, hello there, howdy, greetings, welcome, welcome back"),
    (Friendly, "im back"),
    (Friendly, "good morning, good afternoon, good evening, good day, good night, nice to meet you"),
    (Friendly, "good luck, good luck to you, good luck to us both, have fun, enjoy, gl, hf, glhf, gg, gl hf"),
    (Friendly, "thanks, thank you, many thanks, thanks a lot, thx, ty, cheers, please, pls, plz, ok, okay"),
    (Friendly, "thanks for the game, thanks for playing, thanks for waiting, thanks for your patience"),
    (Friendly, "well, hm, hmm, oh, ah, aha, wow, ouch, haha, lol, phew, and, everyone, all"),
    (Friendly, "nice, nice move, nice one, nice game, good move, good one, good game, great move, great game"),
    (Friendly, "well played, interesting, interesting move, your turn, your move, its your turn, its your move"),
    (Friendly, "over to you, my move, my turn, here you go, here we go, here i go, lets go, there you go"),
    (Friendly, "sorry, sorry for the delay, sorry for the wait, sorry for being late, sorry about the delay"),
    (Friendly, "sorry im late, sorry that took a while, apologies for the delay"),
    (Friendly, "take your time, no rush, no hurry, no worries, bye, see you, see you soon, see you tomorrow"),
    (Friendly, "have a nice day, have a good day, have a great day, have a nice weekend, have a good weekend"),
    (Friendly, "happy new year, merry christmas, all the best, best wishes, best regards, kind regards, regards"),
    (Friendly, "friend, my friend, mate, buddy, sincerely, yours, yours sincerely, best, greetings from"),
    (
        Greeting,
        "hi, hello, hey, hey there, hi there, hello there, howdy, greetings, dear, good morning, good afternoon",
    ),
    (Greeting, "good evening, good day, welcome back"),
    (Praise, "nice, good move, good one, great, interesting, wow, ouch, well played"),
    (Interjection, "gg, oops, ok, well played, sorry, hey, so, well, wait, hang on, hm, hmm, oh, oh no, ah, damn"),
    (Polite, "please, pls, plz, thanks, thank, you, thx, ty, now"),
    (Wish, "how do i, how can i, how to, how do we, how would i, how does one, can i, can we, could i, could we"),
    (Wish, "may i, may we"),
    (Wish, "can you, could you, would you, can i have, could i have, may i have, can i get, can i see"),
    (Wish, "could i see, can you show"),
    (Wish, "i want, i want to, i wanna, i would like, i would like to, id like, id like to, id love, i wish to"),
    (Wish, "i need, i need to"),
    (Wish, "we want, we need, let me, let me see, lets, lets see, give me, show, show me, show us, tell me, list"),
    (Wish, "see, view, check"),
    (Wish, "do you want, do you want to, would you like, would you like to, do you accept, want, want to"),
    (Wish, "shall we, how about"),
    (Wish, "what is, whats, what are, where is, is there, is it possible to, where can i see, where do i see"),
    (Wish, "a, an, the, my, our, me, some, any, for, to, have, get, please"),
    (
        MoveLeadIn,
        "i play, ill play, im playing, lets play, play, i move, ill move, move, my move is, i go, ill go, i choose",
    ),
    (MoveLeadIn, "i vote, i vote for, my vote, my vote is, my vote goes to, vote, vote for, voting for, im voting for"),
    (MoveLeadIn, "ill choose, i pick, ill pick, ill try, lets try, let me try, try, i take, ill take, then, so"),
    (Smiley, ":D, :-D, ;D, :P, :-P, :p, xD, XD, ^^, <3, =), :3"),
    // Almost a move.
    (Pass, "pass, i pass, ill pass, passing, skip, i skip, ill skip, skip my turn, i have to pass, i must pass"),
    (Pass, "passe"),
    (Pass, "no move, i have no move, i cant move"),
    (Negation, "not, never, dont, isnt, wont, cant, without, hate"),
    (Counted, "level, table, issue, game, games, round, match, size, rating, page, version, score, move, moves"),
    (Counted, "sec, secs, second, seconds"),
    (CellWord, "row, column, col, line, file, rank, cell, square"),
    // Requests in plain words.
    (Command("/draw"), "i offer a draw, offer draw, draw offer, do you want a draw, want a draw, shall we draw"),
    (Command("/draw"), "call it a draw, a tie, tie, its a tie, remis, nulle, tablas, empate, patta, ничья, ½ ½"),
    (Command("/draw"), "draw it is, a draw it is, draw agreed, remise, unentschieden, peace, happy with a draw"),
    (Command("/draw"), "1 2, 1 2 1 2"),
    (Command("/draw"), "offer a draw, accept a draw, accept the draw, agree a draw, agree on a draw"),
    (Command("/draw"), "draw by agreement"),
    (Command("/draw"), "agree to a draw, claim draw, claim a draw, claim the draw, i claim a draw"),
    (Command("/draw"), "i claim the draw"),
    (Command("/draw"), "i claim draw, i would like to claim a draw, id like to claim a draw, threefold repetition"),
    (Command("/draw"), "threefold, claim threefold, claim threefold repetition, i claim threefold repetition"),
    (Command("/draw"), "by repetition, by threefold repetition, by the fifty move rule, by the 50 move rule"),
    (
        Command("/draw"),
        "draw by repetition, draw by threefold repetition, fifty move rule, fifty moves, 50 move rule, 50 moves",
    ),
    (Command("/nudge"), "nudge, nudge them, remind them, remind him, remind her, remind my opponent, send a reminder"),
    (
        Command("/claim"),
        "i claim the win, claim the win, claim win, i win on time, you ran out of time, your time is up",
    ),
    (Command("/undo"), "can i take that back, can i take it back, can i take back, can i take back my move, undo"),
    (Command("/undo"), "can i take my move back, may i take that back, can i undo, can i undo that, misclick"),
    (Command("/undo"), "a misclick"),
    (Command("/undo"), "take back, take that back, take it back, take my move back, take back my move"),
    (Command("/undo"), "take back that move"),
    (Command("/undo"), "take back please, takeback please, undo it, undo that, undo move, undo the move"),
    (Command("/undo"), "undo my move"),
    (Command("/undo"), "undo that move, undo last move, undo the last move, undo my last move"),
    (Command("/undo"), "take back my last move"),
    (Command("/undo"), "mouse slip, mouseslip, that was a mouse slip, that was a misclick, wrong move"),
    (Command("/undo"), "i misclicked, go back, can we go back, zurück, change my move, redo my move, mulligan"),
    (Command("/undo"), "ctrl z"),
    (Command("/undo"), "that was the wrong move"),
    (Command("/resign"), "i resign, i give up, i give in, i concede, i surrender, i quit, you win, you won"),
    (Command("/resign"), "give up, give in"),
    (Command("/resign"), "resign the game, surrender, concede, forfeit, i forfeit, ff, i lost, i lose, i abandon"),
    (Command("/resign"), "0 1"),
    (Command("/resign"), "ich gebe auf, jabandonne, me rindo, abandono, сдаюсь"),
    (Command("/resign"), "im out, im done, i have to leave, i dont want to play anymore, aufgeben, white resigns"),
    (Command("/resign"), "black resigns"),
    (Command("/abort"), "restart, start over, restart the game, new game, start a new game, end game"),
    (Command("/abort"), "end the game"),
    (Command("/abort"), "end this game, cancel game, cancel the game, cancel this game, stop the game, exit"),
    (Command("/abort"), "quit game"),
    (Command("/abort"), "quit the game, delete the game, delete this game"),
    (Command("/computer"), "what level are you, which level are you, what level is this, how strong are you"),
    (Command("/computer"), "easier"),
    (
        Command("/computer"),
        "too hard, too easy, harder, make it easier, make it harder, an easier level, a harder level",
    ),
    (Command("/rematch"), "rematch, another game, one more game, play again, lets play again, again"),
    (Command("/rematch"), "want a rematch"),
    (Command("/rematch"), "rematch please, one more, another one, once more, another round, play another game"),
    (Command("/rematch"), "another, revenge, best of 3, lets go again, same again, next round, next game"),
    (Command("/rematch"), "noch mal, nochmal, encore"),
    (Command("/rematch"), "play once more"),
    // Questions in plain words.
    (Command("/moves"), "what can i play, what can i play here, what can i play now, what can i do"),
    (Command("/moves"), "what are my moves"),
    (Command("/moves"), "where can i go, where can i move, where can i play, where may i move"),
    (Command("/moves"), "which moves are legal"),
    (Command("/moves"), "what are my options, my options, options, what are the options, what are the legal moves"),
    (Command("/moves"), "legal moves, legal moves here, all moves, all legal moves, possible moves"),
    (Command("/moves"), "available moves, valid moves"),
    (Command("/moves"), "what moves do i have, which moves do i have, which moves can i play"),
    (Command("/moves"), "what moves can i play"),
    (Command("/moves"), "what columns are free, which columns are free, what squares are free"),
    (Command("/moves"), "which squares are free"),
    (Command("/moves"), "what cells are free, which cells are free, whats free, do i have a move"),
    (Command("/moves"), "do i have to capture"),
    (Command("/moves"), "do i have to jump, must i capture, must i jump"),
    (Command("/moves"), "whats possible, what is possible, my choices, choices, what are my choices"),
    (Command("/moves"), "the possibilities, züge"),
    (Command("/moves"), "which moves are allowed, which moves are possible, what moves are possible"),
    (Command("/moves"), "where should i go"),
    (Command("/board"), "whose turn is it, whose turn, whose turn is it now, whose move is it, whose move"),
    (Command("/board"), "who is on turn"),
    (Command("/board"), "whos turn is it, who moves, who moves now, who moves next, who is to move, whos to move"),
    (Command("/board"), "who is next"),
    (Command("/board"), "is it my turn, is it my move, is it my turn now, am i next, am i to move"),
    (Command("/board"), "is it me, my go, is it my go, am i up, do i go now, do i move now"),
    (Command("/board"), "is it my turn or yours, turn"),
    (Command("/board"), "do i have to move"),
    (Command("/board"), "what did i roll, what have i rolled, what are my dice, what are the dice"),
    (Command("/board"), "what is my roll, whats my roll"),
    (Command("/board"), "the dice, my dice, my roll, which dice do i have, what dice do i have"),
    (Command("/board"), "which numbers do i have"),
    (Command("/board"), "which color am i, what color am i, which colour am i, what colour am i, which side am i"),
    (Command("/board"), "what side am i"),
    (Command("/board"), "which side am i on, am i white, am i black, am i x, am i o, am i red, am i yellow"),
    (Command("/board"), "who am i, who am i playing"),
    (Command("/board"), "which pieces are mine, who is white, who is black, who is x, who is o, who plays white"),
    (Command("/board"), "who plays black"),
    (Command("/board"), "am i in check, is that check, is it check, is this check, is it checkmate"),
    (Command("/board"), "is that checkmate, is it mate"),
    (Command("/board"), "score, what is the score, whats the score, pips, pip count, pipcount"),
    (Command("/board"), "what is the pip count"),
    (Command("/board"), "who is winning, whos winning, who is ahead, whos ahead, am i winning, am i losing"),
    (Command("/board"), "whats the position"),
    (Command("/board"), "who won, did i win, did i lose, is the game over, is it over, is this over"),
    (Command("/board"), "did we finish"),
    (Command("/board"), "where are we, what happened, current position, current board, position, status"),
    (Command("/time"), "how long do i have, how long have i got, how much time do i have"),
    (Command("/history"), "moves so far, show moves so far, what did you play, where did you move"),
    (Command("/history"), "what was your last move"),
    (Command("/history"), "what did she play, what did he play, what did they play, last move"),
    (Command("/history"), "what was the last move"),
    (Command("/time"), "how much time have i got"),
    (Command("/time"), "how much time is left, how much time do i have left, how long do i have left"),
    (Command("/time"), "how many days do i have"),
    (Command("/time"), "time left, my time, a clock, the clock, is there a clock, is there a time limit"),
    (Command("/time"), "time limit, a time limit"),
    (Command("/time"), "when do i have to move, when must i move, until when, deadline, the deadline"),
    (Command("/time"), "when is my move due"),
    (Command("/time"), "more time, i need time, i need more time, need more time, need time, add time"),
    (Command("/time"), "can we pause, pause"),
    (Command("/hint"), "best move, what is the best move, whats the best move, what should i play"),
    (Command("/hint"), "what should i do"),
    (Command("/hint"), "what would you play, what would you do, what do you suggest, suggest, suggest a move"),
    (Command("/hint"), "suggest something"),
    (Command("/hint"), "a hint, hints, help me out, where should i play, where should i move, which move is best"),
    (Command("/hint"), "tip, a tip, gimme hint, gimme a hint, clue, a clue, whats best, any idea, help me move"),
    (Command("/hint"), "you choose"),
    (Command("/hint"), "any ideas"),
    (Command("/help"), "how do i move, how can i move, how to move, how do i write a move, how do i write moves"),
    (Command("/help"), "how do i make a move, how do i enter a move, how do i type a move, how do i play a move"),
    (Command("/help"), "what do i do, what do i do now, what now, what next"),
    (Command("/help"), "now what"),
    (Command("/help"), "commands, what commands are there, which commands are there, all commands, the commands"),
    (Command("/help"), "list of commands"),
    (Command("/help"), "what can you do, what can i say, what can i write, what do i write, are you there"),
    (Command("/help"), "are you here, anyone there"),
    (Command("/help"), "hello bot, hi bot, bot, help please, help me, i need help, im lost, im stuck"),
    (Command("/help"), "hilfe, ayuda, aide, помощь, how do i start, what do i type, how do i write, what notation"),
    (Command("/help"), "tutorial"),
    (Command("/help"), "i dont understand"),
    (Command("/rules"), "rules, the rules, rules please, what are the rules, explain the rules"),
    (Command("/rules"), "how do the rules work"),
    (Command("/rules"), "how to play, how do i play, how do i play this, how do you play, how do you play this"),
    (Command("/rules"), "how is this played"),
    (Command("/rules"), "how do i win, how can i win, what is the goal, whats the goal, how do i castle"),
    (Command("/rules"), "how to castle, can i castle"),
    (Command("/rules"), "how does castling work, how do i promote, how to promote, what is en passant"),
    (Command("/rules"), "is en passant legal"),
    (Command("/rules"), "is en passant legal here, can i take en passant, how does en passant work"),
    (Command("/rules"), "what does swap mean"),
    (Command("/rules"), "how does swap work"),
    (Command("/rules"), "what is the cube"),
    (Command("/rules"), "how does the cube work, how do i bear off, can i bear off"),
    (Command("/rules"), "how do kings move"),
    (Command("/rules"), "how do i flip, which discs flip, where am i sent, which board do i play in"),
    (Command("/rules"), "which board am i in"),
    // Other words for commands. If a typo is as near to two of them, it means the first one.
    (StartsGame, "/play, /start"),
    (Challenge, "/challenge"),
    (Synonym("/join"), "/sit"),
    (Synonym("/move"), "/play, /m, /vote"),
    (Synonym("/time"), "/clock"),
    (Synonym("/standings"), "/leaderboard, /top, /ranking"),
    (Synonym("/rating"), "/elo, /ratings"),
    (Synonym("/mine"), "/games, /mygames, /my-games"),
    (Synonym("/away"), "/vacation, /holiday"),
    (Synonym("/undo"), "/takeback, /take back"),
    (
        Synonym("/draw"),
        "/claim draw, /claim a draw, /claim the draw, /claim threefold, /claim threefold repetition, /offer",
    ),
    (Synonym("/draw"), "/offer draw, /offer a draw, /draw offer, /threefold"),
    (Synonym("/accept"), "/accept draw, /accept a draw, /accept the draw"),
    (Synonym("/accept"), "/accept takeback, /accept the takeback, /accept undo, /accept offer, /accept the offer"),
    (
        Synonym("/decline"),
        "/decline draw, /decline a draw, /decline the draw, /decline takeback, /decline the takeback",
    ),
    (Synonym("/decline"), "/decline offer, /decline the offer"),
    (Synonym("/nudge"), "/remind, /ping, /poke, /bump"),
    (Synonym("/claim"), "/flag, /claim win, /claim the win, /claim a win, /claim time, /claim on time"),
    (
        Synonym("/extend"),
        "/moretime, /more-time, /more time, /givetime, /give-time, /give time, /addtime, /add-time, /add time",
    ),
    (Synonym("/board"), "/pips, /pip, /pipcount, /pip-count, /score, /dice, /position"),
    (Synonym("/leave"), "/quit"),
    (Synonym("/review"), "/analyze, /analyse, /analysis"),
    (Misnomer("/if"), "/premove, /conditional"),
    (Misnomer("/board"), "/status"),
    (Misnomer("/away"), "/pause"),
    (Misnomer("/away off"), "/back, /unpause, /resume"),
    (Misnomer("/abort"), "/cancel, /stop, /end"),
    (Misnomer("/leave"), "/exit"),
    (Misnomer("/accept"), "/yes"),
    (Misnomer("/decline"), "/no"),
    (Misnomer("/resign"), "/surrender, /concede, /forfeit"),
    (Misnomer("/computer"), "/level"),
    // Words of `/new`.
    (LeadIn, "a, an, another, the, new, game, of"),
    (Connective, "vs, versus, with, against, playing, play, game, table, board, i, im, i'm, ill, i'll, me, take"),
    (Connective, "a, the, and, at, please"),
    (Preposition, "to, in, for"),
    (Anyone, "anyone, anybody, someone, somebody, everyone"),
    (Computer, "computer, bot, ai, stockfish"),
    (Casual, "casual, unrated, friendly"),
    (On, "on, yes, true, 1"),
    (Off, "off, no, false, 0"),
    (Points, "point, points, pt, pts"),
    (Turn, "move, turn"),
    (PerMove, "per move, a move, each move, every move, for move, / move, /move, per-move"),
    (PerMove, "per turn, a turn, each turn, every turn, for turn, / turn"),
    (TimeUnit(Duration::from_secs(60)), "m, min, mins, minute, minutes"),
    (TimeUnit(Duration::from_secs(3_600)), "h, hr, hrs, hour, hours"),
    (TimeUnit(Duration::from_secs(86_400)), "d, day, days"),
    (TimeUnit(Duration::from_secs(604_800)), "w, week, weeks"),
];

/// The words of a phrase, and its meaning.
type SplitPhrase = (Vec<&'static str>, Meaning);

/// The phrases by their first word in lowercase. Comments are compared with them many times.
static BY_FIRST_WORD: LazyLock<HashMap<String, Vec<SplitPhrase>>> = LazyLock::new(|| {
    let mut by_first_word: HashMap<_, Vec<_>> = HashMap::new();
    for (phrase, meaning) in phrases() {
        let parts: Vec<&str> = phrase.split(' ').collect();
        by_first_word.entry(parts[0].to_ascii_lowercase()).or_default().push((parts, meaning));
    }
    by_first_word
});

/// Returns every phrase with its meaning, in the order of the table.
pub fn phrases() -> impl Iterator<Item = (&'static str, Meaning)> {
    phrases_with(|_| true)
}

/// Returns the phrases with a meaning that `is_wanted` accepts.
fn phrases_with(is_wanted: impl Fn(Meaning) -> bool) -> impl Iterator<Item = (&'static str, Meaning)> {
    let rows = PHRASES.iter().filter(move |(meaning, _)| is_wanted(*meaning));
    rows.flat_map(|(meaning, phrases)| phrases.split(", ").map(move |phrase| (phrase, *meaning)))
}

impl Meaning {
    /// Returns the phrases with this meaning.
    pub(crate) fn phrases(self) -> impl Iterator<Item = &'static str> {
        phrases_with(move |meaning| meaning == self).map(|(phrase, _)| phrase)
    }

    /// Whether a word has this meaning, ignoring case.
    pub(crate) fn has(self, word: &str) -> bool {
        self.phrases().any(|phrase| phrase.eq_ignore_ascii_case(word))
    }
}

/// Returns the number of words in the longest phrase at the beginning of some words, and its meaning, if it has one of those
/// that `is_wanted` accepts. Ignores case.
pub(crate) fn longest_phrase(
    words: &[impl AsRef<str>],
    is_wanted: impl Fn(Meaning) -> bool,
) -> Option<(usize, Meaning)> {
    let first = words.first()?.as_ref().to_ascii_lowercase();
    let known = BY_FIRST_WORD.get(&first)?.iter().filter(|(_, meaning)| is_wanted(*meaning));
    let lengths = known.filter_map(|(parts, meaning)| {
        let mut pairs = words.get(..parts.len())?.iter().zip(parts);
        pairs.all(|(word, part)| word.as_ref().eq_ignore_ascii_case(part)).then_some((parts.len(), *meaning))
    });
    // Friendly words may also have the meaning that the caller looks for.
    lengths.max_by_key(|(length, meaning)| (*length, *meaning != Friendly))
}

/// Returns the meaning of a whole text, if it has one of those that `is_wanted` accepts.
pub(crate) fn meaning_of(words: &[impl AsRef<str>], is_wanted: impl Fn(Meaning) -> bool) -> Option<Meaning> {
    longest_phrase(words, is_wanted).filter(|(length, _)| *length == words.len()).map(|(_, meaning)| meaning)
}

/// Returns the words without phrases with some meanings at the beginning, and without phrases with others at the end.
pub(crate) fn without_phrases<'a, 'b>(
    mut words: &'a [&'b str],
    is_first: impl Fn(Meaning) -> bool,
    is_last: impl Fn(Meaning) -> bool,
) -> &'a [&'b str] {
    while let Some((length, _)) = longest_phrase(words, &is_first) {
        words = &words[length..];
    }
    let begin = |words: &[&str]| words.len().saturating_sub(MAX_PHRASE);
    let last = |words: &[&str]| (begin(words)..words.len()).find(|at| meaning_of(&words[*at..], &is_last).is_some());
    while let Some(at) = last(words) {
        words = &words[..at];
    }
    words
}

/// Returns how many phrases with these meanings the words contain; `None` if they contain anything else besides friendly words.
pub(crate) fn count_phrases(mut words: &[&str], meanings: &[Meaning]) -> Option<usize> {
    let mut count = 0;
    while !words.is_empty() {
        let (length, meaning) = longest_phrase(words, |meaning| meaning == Friendly || meanings.contains(&meaning))?;
        count += usize::from(meaning != Friendly);
        words = &words[length..];
    }
    Some(count)
}

/// Returns the words of a text in lowercase, without punctuation, apostrophes and emoji. Mentions keep their `@`.
pub(crate) fn words_of(text: &str) -> Vec<String> {
    let text = text.to_lowercase().replace(['\'', '’', '`'], "");
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '@' | '_' | '-');
    let words = text.split(|c: char| !is_part(c)).map(|word| word.trim_matches(['-', '_']));
    words.filter(|word| word.chars().any(char::is_alphanumeric)).map(str::to_owned).collect()
}
