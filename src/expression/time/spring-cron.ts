/** What Camunda 8 has a name for. */
const NICKNAMES: Readonly<Record<string, string>> = {
  '@yearly': '0 0 0 1 1 ?',
  '@annually': '0 0 0 1 1 ?',
  '@monthly': '0 0 0 1 * ?',
  '@weekly': '0 0 0 ? * SUN',
  '@daily': '0 0 0 * * ?',
  '@midnight': '0 0 0 * * ?',
  '@hourly': '0 0 * * * ?',
};

const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];

/**
 * A cron expression of Camunda 8, which is Spring's, as Quartz writes it: days of the week count from Monday as 1, with Sunday as 0 and 7, a day from which on every so many
 * are meant goes on to Sunday, and there are names (`@hourly`). What is none stays as it is.
 */
export function quartzOf(text: string): string {
  const [, plain = '', zone = ''] = /^([^[]*)(\[.*)?$/.exec(text.trim()) ?? [];
  const named = NICKNAMES[plain.trim()];
  if (named !== undefined) return named + zone;
  const [seconds, minutes, hours, days, months, weekdays, ...more] = plain.trim().split(/\s+/);
  if (weekdays === undefined || more.length > 0) return text;
  const renamed = weekdays.split(',').map(weekday).join(',');
  return [seconds, minutes, hours, days === '?' ? '*' : days, months, renamed].join(' ') + zone;
}

/** A day, a range of them, every so many, the last or the so many-th of a month. */
function weekday(item: string): string {
  const [, first, last, step, more = ''] = /^(\w+?)(?:-(\w+))?(?:\/(\d+))?(L|#\d)?$/i.exec(item) ?? [];
  if (item === 'L') return 'SUN';
  if (first === undefined) return item;
  if (last === undefined && step === undefined) return nameOf(first) + more;
  // From Sunday, the first of a week, on there is no Sunday to come to.
  const end = first === '0' && (last ?? '7') === '7' ? 'SAT' : nameOf(last ?? '7');
  return `${nameOf(first)}-${end}${step === undefined ? '' : `/${step}`}`;
}

const nameOf = (day: string): string => (/^[0-7]$/.test(day) ? (DAYS[Number(day)] ?? day) : day);
