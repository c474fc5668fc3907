type Options = Readonly<Record<string, unknown>>;

/** Texts, options of the format, and the records that Commons CSV 1.14 reads. */
export const READ: readonly (readonly [text: string, options: Options, records: unknown])[] = [
  [
    'a,b\r\n1,2\r\n',
    {},
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\n1,2',
    {},
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\r1,2',
    {},
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,,b\n,\n',
    {},
    [
      ['a', '', 'b'],
      ['', ''],
    ],
  ],
  [
    '\n\na,b\n\n1,2\n\n',
    {},
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['a,b\n\n1,2\n', { ignoreEmptyLines: false }, [['a', 'b'], [''], ['1', '2']]],
  ['"a","b"\n', {}, [['a', 'b']]],
  ['"a""b",c', {}, [['a"b', 'c']]],
  ['"a\nb",c', {}, [['a\nb', 'c']]],
  ['a"b,c', {}, [['a"b', 'c']]],
  ['"a" ,b', {}, [['a', 'b']]],
  [' a , b ', {}, [[' a ', ' b ']]],
  [' a , b ', { trim: true }, [['a', 'b']]],
  [' a , b ', { ignoreSurroundingSpaces: true }, [['a', 'b']]],
  [' "a" , "b" ', { ignoreSurroundingSpaces: true }, [['a', 'b']]],
  [' "a" ,b', {}, [[' "a" ', 'b']]],
  ['a;b', { delimiter: ';' }, [['a', 'b']]],
  ['a||b|c', { delimiter: '||' }, [['a', 'b|c']]],
  ["'a,b',c", { quote: "'" }, [['a,b', 'c']]],
  ['"a",b', { quoteDisabled: true }, [['"a"', 'b']]],
  ['a\\,b,c', { escape: '\\' }, [['a,b', 'c']]],
  ['a\\nb,c\\\\', { escape: '\\' }, [['a\nb', 'c\\']]],
  ['"a\\"b",c', { escape: '\\' }, [['a"b', 'c']]],
  ['NULL,"NULL",x', { nullString: 'NULL' }, [[null, null, 'x']]],
  ['#c\na,b', { commentMarker: '#' }, [['a', 'b']]],
  ['a\tb\n', { format: 'TDF' }, [['a', 'b']]],
  ['a\t b\n', { format: 'TDF' }, [['a', 'b']]],
  ['a,b\n\n1,2', { format: 'EXCEL' }, [['a', 'b'], [''], ['1', '2']]],
  ['a,b\n\n1,2', { format: 'RFC4180' }, [['a', 'b'], [''], ['1', '2']]],
  ['a\tb\\N\t\\N\n', { format: 'MYSQL' }, [['a', 'b\\N', null]]],
  ['a|b\n', { format: 'INFORMIX_UNLOAD' }, [['a', 'b']]],
  ['a,b\n', { format: 'INFORMIX_UNLOAD_CSV' }, [['a', 'b']]],
  ['a,"",\n', { format: 'POSTGRESQL_CSV' }, [['a', '', null]]],
  ['a\tb\\t\t\\N', { format: 'POSTGRESQL_TEXT' }, [['a', 'b\t', null]]],
  ['a,b', { format: 'MONGODB_CSV' }, [['a', 'b']]],
  ['a\tb', { format: 'MONGODB_TSV' }, [['a', 'b']]],
  [
    'a, b \n\\N,"x"',
    { format: 'ORACLE' },
    [
      ['a', 'b'],
      [null, 'x'],
    ],
  ],
  ['', {}, []],
  ['\ufeffa,b', {}, [['\ufeffa', 'b']]],
  ['a,"b"\n', { format: 'EXCEL' }, [['a', 'b']]],
  ['a,b,\n', { trailingDelimiter: true }, [['a', 'b']]],
  ['a,,\n', { trailingDelimiter: true }, [['a', '']]],
  ['  \na', { ignoreEmptyLines: true }, [['  '], ['a']]],
  ['  \na', { ignoreSurroundingSpaces: true }, [[''], ['a']]],
  ['""\n,a', {}, [[''], ['', 'a']]],
  ['"",a\n', {}, [['', 'a']]],
  ['a\u2028b,c', {}, [['a\u2028b', 'c']]],
  [
    'a,b\n"c",d"e"\n',
    {},
    [
      ['a', 'b'],
      ['c', 'd"e"'],
    ],
  ],
  ['x,"y ""z"" w"\n', {}, [['x', 'y "z" w']]],
  ['x,y\n', { recordSeparator: '\n' }, [['x', 'y']]],
  ['a\n\n', { ignoreEmptyLines: false }, [['a'], ['']]],
  [
    'a,b\n#x,1\n',
    {},
    [
      ['a', 'b'],
      ['#x', '1'],
    ],
  ],
];

/** Texts that it refuses. */
export const REFUSED: readonly (readonly [text: string, options: Options])[] = [
  ['"a"x,b', {}],
  ['"a', {}],
];

/** Records, options of the format, and the text that it prints. */
export const PRINTED: readonly (readonly [records: readonly (readonly unknown[])[], options: Options, text: string])[] =
  [
    [
      [
        ['a', 'b'],
        [1, 2],
      ],
      { quoteMode: 'ALL' },
      '"a","b"\r\n"1","2"\r\n',
    ],
    [
      [
        ['a', 'b'],
        [1, 2],
      ],
      { quoteMode: 'ALL_NON_NULL' },
      '"a","b"\r\n"1","2"\r\n',
    ],
    [
      [
        ['a', 'b'],
        [1, 2],
      ],
      { quoteMode: 'NON_NUMERIC' },
      '"a","b"\r\n1,2\r\n',
    ],
    [
      [
        ['a', 'b'],
        [1, 2],
      ],
      { quoteMode: 'NONE', escape: '\\' },
      'a,b\r\n1,2\r\n',
    ],
    [
      [
        ['a', 'b'],
        [1, 2],
      ],
      { nullString: 'NULL', quoteMode: 'ALL' },
      '"a","b"\r\n"1","2"\r\n',
    ],
    [
      [
        ['a', 'b'],
        [1, 2],
      ],
      { format: 'EXCEL' },
      'a,b\r\n1,2\r\n',
    ],
    [
      [
        ['a', 'b'],
        [1, 2],
      ],
      { format: 'MYSQL' },
      'a\tb\n1\t2\n',
    ],
    [
      [
        ['a', 'b'],
        [1, 2],
      ],
      { format: 'TDF' },
      'a\tb\r\n1\t2\r\n',
    ],
    [
      [
        ['a', 'b'],
        [1, 2],
      ],
      { format: 'RFC4180' },
      'a,b\r\n1,2\r\n',
    ],
    [
      [
        ['a', 'b'],
        [1, 2],
      ],
      { format: 'INFORMIX_UNLOAD' },
      'a|b\n1|2\n',
    ],
    [
      [
        ['a', 'b'],
        [1, 2],
      ],
      { format: 'INFORMIX_UNLOAD_CSV' },
      'a,b\n1,2\n',
    ],
    [
      [
        ['a', 'b'],
        [1, 2],
      ],
      { format: 'POSTGRESQL_CSV' },
      '"a","b"\n"1","2"\n',
    ],
    [
      [
        ['a', 'b'],
        [1, 2],
      ],
      { format: 'POSTGRESQL_TEXT' },
      'a\tb\n1\t2\n',
    ],
    [
      [
        ['a', 'b'],
        [1, 2],
      ],
      { format: 'ORACLE' },
      'a,b\n1,2\n',
    ],
    [
      [
        ['a', 'b'],
        [1, 2],
      ],
      { format: 'MONGODB_CSV' },
      'a,b\r\n1,2\r\n',
    ],
    [
      [
        ['a', 'b'],
        [1, 2],
      ],
      { format: 'MONGODB_TSV' },
      'a\tb\r\n1\t2\r\n',
    ],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], {}, '"a,b","c""d","e\nf","g\rh"\r\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { quoteMode: 'ALL' }, '"a,b","c""d","e\nf","g\rh"\r\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { quoteMode: 'ALL_NON_NULL' }, '"a,b","c""d","e\nf","g\rh"\r\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { quoteMode: 'NON_NUMERIC' }, '"a,b","c""d","e\nf","g\rh"\r\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { quoteMode: 'NONE', escape: '\\' }, 'a\\,b,c"d,e\\nf,g\\rh\r\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { escape: '\\' }, '"a,b","c\\"d","e\nf","g\rh"\r\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { nullString: 'NULL' }, '"a,b","c""d","e\nf","g\rh"\r\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { nullString: 'NULL', quoteMode: 'ALL' }, '"a,b","c""d","e\nf","g\rh"\r\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { format: 'EXCEL' }, '"a,b","c""d","e\nf","g\rh"\r\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { format: 'MYSQL' }, 'a,b\tc"d\te\\nf\tg\\rh\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { format: 'TDF' }, 'a,b\t"c""d"\t"e\nf"\t"g\rh"\r\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { format: 'RFC4180' }, '"a,b","c""d","e\nf","g\rh"\r\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { format: 'INFORMIX_UNLOAD' }, 'a,b|"c\\"d"|"e\nf"|"g\rh"\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { format: 'INFORMIX_UNLOAD_CSV' }, '"a,b","c""d","e\nf","g\rh"\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { format: 'POSTGRESQL_CSV' }, '"a,b","c""d","e\nf","g\rh"\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { format: 'POSTGRESQL_TEXT' }, 'a,b\tc"d\te\\nf\tg\\rh\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { format: 'ORACLE' }, '"a,b","c\\"d","e\nf","g\rh"\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { format: 'MONGODB_CSV' }, '"a,b","c""d","e\nf","g\rh"\r\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { format: 'MONGODB_TSV' }, 'a,b\t"c""d"\t"e\nf"\t"g\rh"\r\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { delimiter: ';', recordSeparator: '\n' }, 'a,b;"c""d";"e\nf";"g\rh"\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { quote: "'" }, "'a,b',c\"d,'e\nf','g\rh'\r\n"],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { trim: true }, '"a,b","c""d","e\nf","g\rh"\r\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { trailingDelimiter: true }, '"a,b","c""d","e\nf","g\rh",\r\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { quoteDisabled: true }, 'a,b,c"d,e\nf,g\rh\r\n'],
    [[['a,b', 'c"d', 'e\nf', 'g\rh']], { escape: '\\', quoteDisabled: true }, 'a\\,b,c"d,e\\nf,g\\rh\r\n'],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      {},
      '"",\r\nx,\r\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { quoteMode: 'ALL' },
      '"",""\r\n"x",""\r\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { quoteMode: 'ALL_NON_NULL' },
      '"",""\r\n"x",""\r\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { quoteMode: 'NON_NUMERIC' },
      '"",""\r\n"x",""\r\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { quoteMode: 'NONE', escape: '\\' },
      ',\r\nx,\r\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { escape: '\\' },
      '"",\r\nx,\r\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { nullString: 'NULL' },
      '"",\r\nx,\r\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { nullString: 'NULL', quoteMode: 'ALL' },
      '"",""\r\n"x",""\r\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { format: 'EXCEL' },
      '"",\r\nx,\r\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { format: 'MYSQL' },
      '\t\nx\t\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { format: 'TDF' },
      '""\t\r\nx\t\r\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { format: 'RFC4180' },
      '"",\r\nx,\r\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { format: 'INFORMIX_UNLOAD' },
      '""|\nx|\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { format: 'INFORMIX_UNLOAD_CSV' },
      '"",\nx,\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { format: 'POSTGRESQL_CSV' },
      '"",""\n"x",""\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { format: 'POSTGRESQL_TEXT' },
      '\t\nx\t\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { format: 'ORACLE' },
      '"",\nx,\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { format: 'MONGODB_CSV' },
      '"",\r\nx,\r\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { format: 'MONGODB_TSV' },
      '""\t\r\nx\t\r\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { delimiter: ';', recordSeparator: '\n' },
      '"";\nx;\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { quote: "'" },
      "'',\r\nx,\r\n",
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { trim: true },
      '"",\r\nx,\r\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { trailingDelimiter: true },
      '"",,\r\nx,,\r\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { quoteDisabled: true },
      ',\r\nx,\r\n',
    ],
    [
      [
        ['', ''],
        ['x', ''],
      ],
      { escape: '\\', quoteDisabled: true },
      ',\r\nx,\r\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      {},
      ',\r\nx,\r\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { quoteMode: 'ALL' },
      ',\r\n"x",\r\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { quoteMode: 'ALL_NON_NULL' },
      ',\r\n"x",\r\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { quoteMode: 'NON_NUMERIC' },
      ',\r\n"x",\r\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { quoteMode: 'NONE', escape: '\\' },
      ',\r\nx,\r\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { escape: '\\' },
      ',\r\nx,\r\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { nullString: 'NULL' },
      'NULL,NULL\r\nx,NULL\r\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { nullString: 'NULL', quoteMode: 'ALL' },
      '"NULL","NULL"\r\n"x","NULL"\r\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { format: 'EXCEL' },
      ',\r\nx,\r\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { format: 'MYSQL' },
      '\\N\t\\N\nx\t\\N\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { format: 'TDF' },
      '\t\r\nx\t\r\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { format: 'RFC4180' },
      ',\r\nx,\r\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { format: 'INFORMIX_UNLOAD' },
      '|\nx|\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { format: 'INFORMIX_UNLOAD_CSV' },
      ',\nx,\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { format: 'POSTGRESQL_CSV' },
      ',\n"x",\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { format: 'POSTGRESQL_TEXT' },
      '\\N\t\\N\nx\t\\N\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { format: 'ORACLE' },
      '\\N,\\N\nx,\\N\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { format: 'MONGODB_CSV' },
      ',\r\nx,\r\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { format: 'MONGODB_TSV' },
      '\t\r\nx\t\r\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { delimiter: ';', recordSeparator: '\n' },
      ';\nx;\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { quote: "'" },
      ',\r\nx,\r\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { trim: true },
      ',\r\nx,\r\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { trailingDelimiter: true },
      ',,\r\nx,,\r\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { quoteDisabled: true },
      ',\r\nx,\r\n',
    ],
    [
      [
        [null, null],
        ['x', null],
      ],
      { escape: '\\', quoteDisabled: true },
      ',\r\nx,\r\n',
    ],
    [[[' a', 'b ', 'c d']], {}, '" a","b ",c d\r\n'],
    [[[' a', 'b ', 'c d']], { quoteMode: 'ALL' }, '" a","b ","c d"\r\n'],
    [[[' a', 'b ', 'c d']], { quoteMode: 'ALL_NON_NULL' }, '" a","b ","c d"\r\n'],
    [[[' a', 'b ', 'c d']], { quoteMode: 'NON_NUMERIC' }, '" a","b ","c d"\r\n'],
    [[[' a', 'b ', 'c d']], { quoteMode: 'NONE', escape: '\\' }, ' a,b ,c d\r\n'],
    [[[' a', 'b ', 'c d']], { escape: '\\' }, '" a","b ",c d\r\n'],
    [[[' a', 'b ', 'c d']], { nullString: 'NULL' }, '" a","b ",c d\r\n'],
    [[[' a', 'b ', 'c d']], { nullString: 'NULL', quoteMode: 'ALL' }, '" a","b ","c d"\r\n'],
    [[[' a', 'b ', 'c d']], { format: 'EXCEL' }, '" a","b ",c d\r\n'],
    [[[' a', 'b ', 'c d']], { format: 'MYSQL' }, ' a\tb \tc d\n'],
    [[[' a', 'b ', 'c d']], { format: 'TDF' }, '" a"\t"b "\tc d\r\n'],
    [[[' a', 'b ', 'c d']], { format: 'RFC4180' }, '" a","b ",c d\r\n'],
    [[[' a', 'b ', 'c d']], { format: 'INFORMIX_UNLOAD' }, '" a"|"b "|c d\n'],
    [[[' a', 'b ', 'c d']], { format: 'INFORMIX_UNLOAD_CSV' }, '" a","b ",c d\n'],
    [[[' a', 'b ', 'c d']], { format: 'POSTGRESQL_CSV' }, '" a","b ","c d"\n'],
    [[[' a', 'b ', 'c d']], { format: 'POSTGRESQL_TEXT' }, ' a\tb \tc d\n'],
    [[[' a', 'b ', 'c d']], { format: 'ORACLE' }, 'a,b,c d\n'],
    [[[' a', 'b ', 'c d']], { format: 'MONGODB_CSV' }, '" a","b ",c d\r\n'],
    [[[' a', 'b ', 'c d']], { format: 'MONGODB_TSV' }, '" a"\t"b "\tc d\r\n'],
    [[[' a', 'b ', 'c d']], { delimiter: ';', recordSeparator: '\n' }, '" a";"b ";c d\n'],
    [[[' a', 'b ', 'c d']], { quote: "'" }, "' a','b ',c d\r\n"],
    [[[' a', 'b ', 'c d']], { trim: true }, 'a,b,c d\r\n'],
    [[[' a', 'b ', 'c d']], { trailingDelimiter: true }, '" a","b ",c d,\r\n'],
    [[[' a', 'b ', 'c d']], { quoteDisabled: true }, ' a,b ,c d\r\n'],
    [[[' a', 'b ', 'c d']], { escape: '\\', quoteDisabled: true }, ' a,b ,c d\r\n'],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      {},
      '"#x","!x",$x,-1,(x),\u00e9,~,\u007f,"\t",0\r\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { quoteMode: 'ALL' },
      '"#x","!x","$x","-1","(x)","\u00e9","~","\u007f","\t","0"\r\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { quoteMode: 'ALL_NON_NULL' },
      '"#x","!x","$x","-1","(x)","\u00e9","~","\u007f","\t","0"\r\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { quoteMode: 'NON_NUMERIC' },
      '"#x","!x","$x","-1","(x)","\u00e9","~","\u007f","\t","0"\r\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { quoteMode: 'NONE', escape: '\\' },
      '#x,!x,$x,-1,(x),\u00e9,~,\u007f,\t,0\r\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { escape: '\\' },
      '"#x","!x",$x,-1,(x),\u00e9,~,\u007f,"\t",0\r\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { nullString: 'NULL' },
      '"#x","!x",$x,-1,(x),\u00e9,~,\u007f,"\t",0\r\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { nullString: 'NULL', quoteMode: 'ALL' },
      '"#x","!x","$x","-1","(x)","\u00e9","~","\u007f","\t","0"\r\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { format: 'EXCEL' },
      '"#x","!x",$x,-1,(x),\u00e9,~,\u007f,"\t",0\r\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { format: 'MYSQL' },
      '#x\t!x\t$x\t-1\t(x)\t\u00e9\t~\t\u007f\t\\\t\t0\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { format: 'TDF' },
      '"#x"\t"!x"\t$x\t-1\t(x)\t\u00e9\t~\t\u007f\t"\t"\t0\r\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { format: 'RFC4180' },
      '"#x","!x",$x,-1,(x),\u00e9,~,\u007f,"\t",0\r\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { format: 'INFORMIX_UNLOAD' },
      '"#x"|"!x"|$x|-1|(x)|\u00e9|~|\u007f|"\t"|0\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { format: 'INFORMIX_UNLOAD_CSV' },
      '"#x","!x",$x,-1,(x),\u00e9,~,\u007f,"\t",0\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { format: 'POSTGRESQL_CSV' },
      '"#x","!x","$x","-1","(x)","\u00e9","~","\u007f","\t","0"\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { format: 'POSTGRESQL_TEXT' },
      '#x\t!x\t$x\t-1\t(x)\t\u00e9\t~\t\u007f\t\\\t\t0\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { format: 'ORACLE' },
      '"#x","!x",$x,-1,(x),\u00e9,~,\u007f,,0\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { format: 'MONGODB_CSV' },
      '"#x","!x",$x,-1,(x),\u00e9,~,\u007f,"\t",0\r\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { format: 'MONGODB_TSV' },
      '"#x"\t"!x"\t$x\t-1\t(x)\t\u00e9\t~\t\u007f\t"\t"\t0\r\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { delimiter: ';', recordSeparator: '\n' },
      '"#x";"!x";$x;-1;(x);\u00e9;~;\u007f;"\t";0\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { quote: "'" },
      "'#x','!x',$x,-1,(x),\u00e9,~,\u007f,'\t',0\r\n",
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { trim: true },
      '"#x","!x",$x,-1,(x),\u00e9,~,\u007f,,0\r\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { trailingDelimiter: true },
      '"#x","!x",$x,-1,(x),\u00e9,~,\u007f,"\t",0,\r\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { quoteDisabled: true },
      '#x,!x,$x,-1,(x),\u00e9,~,\u007f,\t,0\r\n',
    ],
    [
      [['#x', '!x', '$x', '-1', '(x)', '\u00e9', '~', '\u007f', '\t', '0']],
      { escape: '\\', quoteDisabled: true },
      '#x,!x,$x,-1,(x),\u00e9,~,\u007f,\t,0\r\n',
    ],
    [[[true, 1.5, 100000000, 12345678.9]], {}, 'true,1.5,100000000,1.23456789E7\r\n'],
    [[['x', '#y', '!z', ' q']], {}, 'x,"#y","!z"," q"\r\n'],
    [[['x', '#y', '!z', ' q']], { quoteMode: 'ALL' }, '"x","#y","!z"," q"\r\n'],
    [[['x', '#y', '!z', ' q']], { quoteMode: 'ALL_NON_NULL' }, '"x","#y","!z"," q"\r\n'],
    [[['x', '#y', '!z', ' q']], { quoteMode: 'NON_NUMERIC' }, '"x","#y","!z"," q"\r\n'],
    [[['x', '#y', '!z', ' q']], { quoteMode: 'NONE', escape: '\\' }, 'x,#y,!z, q\r\n'],
    [[['x', '#y', '!z', ' q']], { escape: '\\' }, 'x,"#y","!z"," q"\r\n'],
    [[['x', '#y', '!z', ' q']], { nullString: 'NULL' }, 'x,"#y","!z"," q"\r\n'],
    [[['x', '#y', '!z', ' q']], { nullString: 'NULL', quoteMode: 'ALL' }, '"x","#y","!z"," q"\r\n'],
    [[['x', '#y', '!z', ' q']], { format: 'EXCEL' }, 'x,"#y","!z"," q"\r\n'],
    [[['x', '#y', '!z', ' q']], { format: 'MYSQL' }, 'x\t#y\t!z\t q\n'],
    [[['x', '#y', '!z', ' q']], { format: 'TDF' }, 'x\t"#y"\t"!z"\t" q"\r\n'],
    [[['x', '#y', '!z', ' q']], { format: 'RFC4180' }, 'x,"#y","!z"," q"\r\n'],
    [[['x', '#y', '!z', ' q']], { format: 'INFORMIX_UNLOAD' }, 'x|"#y"|"!z"|" q"\n'],
    [[['x', '#y', '!z', ' q']], { format: 'INFORMIX_UNLOAD_CSV' }, 'x,"#y","!z"," q"\n'],
    [[['x', '#y', '!z', ' q']], { format: 'POSTGRESQL_CSV' }, '"x","#y","!z"," q"\n'],
    [[['x', '#y', '!z', ' q']], { format: 'POSTGRESQL_TEXT' }, 'x\t#y\t!z\t q\n'],
    [[['x', '#y', '!z', ' q']], { format: 'ORACLE' }, 'x,"#y","!z",q\n'],
    [[['x', '#y', '!z', ' q']], { format: 'MONGODB_CSV' }, 'x,"#y","!z"," q"\r\n'],
    [[['x', '#y', '!z', ' q']], { format: 'MONGODB_TSV' }, 'x\t"#y"\t"!z"\t" q"\r\n'],
    [[['x', '#y', '!z', ' q']], { delimiter: ';', recordSeparator: '\n' }, 'x;"#y";"!z";" q"\n'],
    [[['x', '#y', '!z', ' q']], { quote: "'" }, "x,'#y','!z',' q'\r\n"],
    [[['x', '#y', '!z', ' q']], { trim: true }, 'x,"#y","!z",q\r\n'],
    [[['x', '#y', '!z', ' q']], { trailingDelimiter: true }, 'x,"#y","!z"," q",\r\n'],
    [[['x', '#y', '!z', ' q']], { quoteDisabled: true }, 'x,#y,!z, q\r\n'],
    [[['x', '#y', '!z', ' q']], { escape: '\\', quoteDisabled: true }, 'x,#y,!z, q\r\n'],
    [[["it's", 'a\\b', ';']], {}, "it's,a\\b,;\r\n"],
    [[["it's", 'a\\b', ';']], { quoteMode: 'ALL' }, '"it\'s","a\\b",";"\r\n'],
    [[["it's", 'a\\b', ';']], { quoteMode: 'ALL_NON_NULL' }, '"it\'s","a\\b",";"\r\n'],
    [[["it's", 'a\\b', ';']], { quoteMode: 'NON_NUMERIC' }, '"it\'s","a\\b",";"\r\n'],
    [[["it's", 'a\\b', ';']], { quoteMode: 'NONE', escape: '\\' }, "it's,a\\\\b,;\r\n"],
    [[["it's", 'a\\b', ';']], { escape: '\\' }, 'it\'s,"a\\\\b",;\r\n'],
    [[["it's", 'a\\b', ';']], { nullString: 'NULL' }, "it's,a\\b,;\r\n"],
    [[["it's", 'a\\b', ';']], { nullString: 'NULL', quoteMode: 'ALL' }, '"it\'s","a\\b",";"\r\n'],
    [[["it's", 'a\\b', ';']], { format: 'EXCEL' }, "it's,a\\b,;\r\n"],
    [[["it's", 'a\\b', ';']], { format: 'MYSQL' }, "it's\ta\\\\b\t;\n"],
    [[["it's", 'a\\b', ';']], { format: 'TDF' }, "it's\ta\\b\t;\r\n"],
    [[["it's", 'a\\b', ';']], { format: 'RFC4180' }, "it's,a\\b,;\r\n"],
    [[["it's", 'a\\b', ';']], { format: 'INFORMIX_UNLOAD' }, 'it\'s|"a\\\\b"|;\n'],
    [[["it's", 'a\\b', ';']], { format: 'INFORMIX_UNLOAD_CSV' }, "it's,a\\b,;\n"],
    [[["it's", 'a\\b', ';']], { format: 'POSTGRESQL_CSV' }, '"it\'s","a\\b",";"\n'],
    [[["it's", 'a\\b', ';']], { format: 'POSTGRESQL_TEXT' }, "it's\ta\\\\b\t;\n"],
    [[["it's", 'a\\b', ';']], { format: 'ORACLE' }, 'it\'s,"a\\\\b",;\n'],
    [[["it's", 'a\\b', ';']], { format: 'MONGODB_CSV' }, "it's,a\\b,;\r\n"],
    [[["it's", 'a\\b', ';']], { format: 'MONGODB_TSV' }, "it's\ta\\b\t;\r\n"],
    [[["it's", 'a\\b', ';']], { delimiter: ';', recordSeparator: '\n' }, 'it\'s;a\\b;";"\n'],
    [[["it's", 'a\\b', ';']], { quote: "'" }, "'it''s',a\\b,;\r\n"],
    [[["it's", 'a\\b', ';']], { trim: true }, "it's,a\\b,;\r\n"],
    [[["it's", 'a\\b', ';']], { trailingDelimiter: true }, "it's,a\\b,;,\r\n"],
    [[["it's", 'a\\b', ';']], { quoteDisabled: true }, "it's,a\\b,;\r\n"],
    [[["it's", 'a\\b', ';']], { escape: '\\', quoteDisabled: true }, "it's,a\\\\b,;\r\n"],
  ];
