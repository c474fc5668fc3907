/** Who has the value in the claim is in the group, or has the role. */
export interface ClaimRule {
  readonly claim: string;
  readonly value: string;
  readonly kind: 'group' | 'role';
  /** Of the group or the role. */
  readonly id: string;
}

/** Which groups and roles claims give. */
export type ClaimMapping = readonly ClaimRule[];

/** The rules of a text, `<claim>=<value> -> group <id>` with semicolons or line ends between them; undefined where one is none. */
export function parseClaimMapping(text: string): ClaimMapping | undefined {
  const rules = text
    .split(/[;\n]/)
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '')
    .map(ruleOf);
  return rules.includes(undefined) ? undefined : rules.filter((rule) => rule !== undefined);
}

/** The claim ends at the first `=`, the value at the last arrow: names of directories (`cn=staff,ou=groups`) have more of the former. */
function ruleOf(text: string): ClaimRule | undefined {
  const arrow = text.lastIndexOf('->');
  const equals = text.indexOf('=');
  if (equals < 1 || arrow < equals) return undefined;
  const [claim, value] = [text.slice(0, equals).trim(), text.slice(equals + 1, arrow).trim()];
  const [, kind, id] = /^(group|role)\s+(\S.*)$/.exec(text.slice(arrow + 2).trim()) ?? [];
  if (claim === '' || value === '' || id === undefined) return undefined;
  return { claim, value, kind: kind === 'role' ? 'role' : 'group', id };
}
