/** A line of CSV by RFC 4180. */
export const csvLine = (fields: readonly string[]): string => `${fields.map(fieldOf).join(',')}\r\n`;

const fieldOf = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
