/** The lines of a text in pages of so many. */
export function* linePages(lines: string, size: number): Generator<string> {
  let from = 0;
  while (from < lines.length) {
    let to = from;
    for (let n = 0; n < size && to < lines.length; n++) {
      const end = lines.indexOf('\n', to);
      to = end < 0 ? lines.length + 1 : end + 1;
    }
    yield lines.slice(from, to - 1);
    from = to;
  }
}
