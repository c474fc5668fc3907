/** Of a program that takes no arguments: `--help` prints the text, and anything else is refused, before anything is done. */
export function takeNoArguments(help) {
  const [first] = process.argv.slice(2);
  if (first === undefined) return;
  if (first === '--help' || first === '-h') {
    process.stdout.write(help);
    process.exit(0);
  }
  process.stderr.write(
    `expected no argument but --help, but found '${first}'; settings are environment variables, such as PORT=9000 npm start\n`,
  );
  process.exit(2);
}
