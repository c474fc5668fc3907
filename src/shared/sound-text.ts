/** What a text that is stored must not have, for a sentence that reads on after "expected". */
export const SOUND_TEXT = 'a text without NUL and halves of surrogate pairs';

/** Whether a text comes back from every store as it was given: some end at NUL, and UTF-8 has no halves of surrogate pairs. */
export const isSoundText = (text: string): boolean => !text.includes('\0') && isUnicode(text);

/** Whether a text has no halves of surrogate pairs: UTF-8 can say it. */
export const isUnicode = (text: string): boolean => !LONE_SURROGATE.test(text);

const LONE_SURROGATE = /\p{Cs}/u;
