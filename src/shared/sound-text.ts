/** The rule of stored texts, for a sentence that reads on after "expected". */
export const SOUND_TEXT = 'a text without NUL and halves of surrogate pairs';

/** Whether a text comes back from every store as it was given: some end at NUL, and UTF-8 has no halves of surrogate pairs. */
export const isSoundText = (text: string): boolean => !text.includes('\0') && isUnicode(text);

/** Whether a text has no halves of surrogate pairs: UTF-8 can say it. */
export const isUnicode = (text: string): boolean => !LONE_SURROGATE.test(text);

const LONE_SURROGATE = /\p{Cs}/u;

/** The most characters of the name of a variable. */
export const VARIABLE_NAME_MAX = 255;

/** The rule of a variable's name, for a sentence that reads on after "expected". */
export const VARIABLE_NAME = `a variable name of 1 to ${VARIABLE_NAME_MAX} characters, without NUL and halves of surrogate pairs, other than __proto__, constructor and prototype`;

/** Names that objects have from birth: nothing of this name could be told from them. */
export const isReservedName = (name: string): boolean =>
  name === '__proto__' || name === 'constructor' || name === 'prototype';

/** Whether something may name a variable, wherever it comes from: a caller, a model, an expression, a script, a handler. */
export const isVariableName = (name: unknown): name is string =>
  typeof name === 'string' &&
  name.length > 0 &&
  name.length <= VARIABLE_NAME_MAX &&
  !isReservedName(name) &&
  isSoundText(name);
