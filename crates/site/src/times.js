// Shows times in the reader's time zone, how long ago a turn began, and how much time is left. They stay true on an open page.
function showTimes(root) {
  const largest = (minutes) => minutes < 120 ? [minutes, 'minute'] : minutes < 2880 ? [minutes / 60, 'hour'] : [minutes / 1440, 'day'];
  for (const time of root.querySelectorAll('time[datetime*="T"]')) {
    const moment = new Date(time.dateTime), minutes = (Date.now() - moment) / 60000;
    time.title ||= time.textContent;
    if (time.classList.contains('ago')) {
      const [amount, unit] = largest(minutes);
      time.textContent = amount >= 0 && amount < 60 * (unit === 'minute' ? 2 : 1) ? new Intl.RelativeTimeFormat('en').format(-Math.floor(amount), unit) : time.title;
    } else if (time.classList.contains('left')) {
      const [amount, unit] = largest(-minutes), whole = Math.floor(amount);
      time.textContent = amount < 0 ? 'out of time' : `${whole} ${unit}${whole === 1 ? '' : 's'} left`;
    } else if (!time.classList.contains('day')) {
      time.textContent = moment.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
    }
  }
}
showTimes(document);
setInterval(() => showTimes(document), 30000);

// Plays the game on the home page, and stops it.
for (const play of document.querySelectorAll('[data-play]')) {
  const picture = document.querySelector('.featured [data-replay]'), image = picture.querySelector('img'), still = image.src;
  let times = 0;
  play.addEventListener('click', () => {
    const isPlaying = image.src !== still;
    // Another address makes the picture begin again.
    image.src = isPlaying ? still : `${picture.dataset.replay}#${times += 1}`;
    play.textContent = isPlaying ? 'Play' : 'Stop';
  });
}
