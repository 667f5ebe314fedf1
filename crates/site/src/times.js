// Shows times in the reader's time zone, and how long ago a turn began.
function showTimes(root) {
  for (const time of root.querySelectorAll('time[datetime*="T"]')) {
    const moment = new Date(time.dateTime);
    time.title = time.textContent;
    if (time.classList.contains('ago')) {
      const minutes = (Date.now() - moment) / 60000;
      const [amount, unit] = minutes < 60 ? [minutes, 'minute'] : minutes < 2880 ? [minutes / 60, 'hour'] : [minutes / 1440, 'day'];
      if (amount >= 0 && amount < 60) time.textContent = new Intl.RelativeTimeFormat('en').format(-Math.floor(amount), unit);
    } else if (!time.classList.contains('day')) {
      time.textContent = moment.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
    }
  }
}
showTimes(document);
