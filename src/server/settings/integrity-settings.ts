import { duration, optional } from './settings.js';

/** What is done about things that are lost or damaged. */
export const integritySettings = {
  checkEveryMs: duration(
    'MILLRACE_CHECK_EVERY',
    '24h',
    'How long the background check rests, which compares all that is stored with its checksums, in a twentieth of the time of a thread of its own. It begins 10 s after the start, or after this time where that is shorter.',
  ),
  acceptLoss: optional({
    name: 'MILLRACE_ACCEPT_LOSS',
    expected: 'the path of a log that is lost',
    description:
      'The `log.db` that a start was refused for, as it is gone or cannot be read any more: it begins anew, without all that it held. What is left of the file stays beside it. To be set once.',
    parse: (given) => given,
  }),
};
