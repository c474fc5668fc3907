/**
 * What Jackrabbit 2.22 decided about node types and values that were made up at random: a text of types, the last of which is `[b]`, then what became of
 * values of a property `p` of a node of it. `*`: a list of that one value. `no`: it was refused.
 */
const TABLE = `
[b] - p (binary) < '[,2)' ¦ Name:a → Binary:a ¦ String:/a/b → no ¦ Boolean:true → no ¦ Boolean:false → no ¦ Long:-1 → no
[b] - p (binary) < '[1,5]' ¦ String: → no ¦ Path:../x → Binary:../x ¦ Date:2020-06-01T00:00:00.000Z → no ¦ URI:a → Binary:a ¦ Long:-1 → Binary:-1
[b] - p (binary) < '[x,]' ¦ refused
[b] - p (binary) = 'abc' < '[x,]' ¦ refused
[b] - p (binary) = 'abc' ¦ Long:9 → Binary:9 ¦ Long:3 → Binary:3 ¦ Binary:abc → Binary:abc ¦ URI:a → Binary:a ¦ Boolean:false → Binary:false
[b] - p (binary) = 'abcdef' < '[9,1]' ¦ refused
[b] - p (binary) = 'abcdef' protected < '[x,]' ¦ refused
[b] - p (binary) = 'abcdef' ¦ String:abc → Binary:abc ¦ String:jcr:title → Binary:jcr:title ¦ Binary:abcdef → Binary:abcdef ¦ Long:3 → Binary:3 ¦ String:a b → Binary:a b
[b] - p (binary) multiple < '[x,]' ¦ refused
[b] - p (binary) multiple ¦ String:true → no ¦ *String:1.5 → Binary:1.5 ¦ *Double:2.25 → Binary:2.25 ¦ *Date:2018-01-01T00:00:00.000Z → Binary:2018-01-01T00:00:00.000Z ¦ *Long:3 → Binary:3
[b] - p (binary) protected < '[1,5]' ¦ Boolean:false → no ¦ Date:2020-06-01T00:00:00.000Z → no ¦ Name:jcr:title → no ¦ Date:2018-01-01T00:00:00.000Z → no ¦ String:a b → no
[b] - p (binary) ¦ String:2020-06-01T00:00:00.000Z → Binary:2020-06-01T00:00:00.000Z ¦ Path:a → Binary:a ¦ Long:3 → Binary:3 ¦ Double:1.5 → Binary:1.5 ¦ URI:a → Binary:a
[b] - p (boolean) < 'true' ¦ String:a b → no ¦ String:abc → no ¦ String:1.5 → no ¦ String:7 → no ¦ Binary:abcdef → no
[b] - p (boolean) < 'true', 'false' ¦ Date:2018-01-01T00:00:00.000Z → no ¦ Name:a → no ¦ Long:-1 → no ¦ String: → Boolean:false ¦ Long:3 → no
[b] - p (boolean) = 'false' < 'true' ¦ refused
[b] - p (boolean) = 'false' ¦ Decimal:1.50 → no ¦ Path:/a/b → no ¦ Path:/ → no ¦ Double:2.25 → no ¦ Date:2018-01-01T00:00:00.000Z → no
[b] - p (boolean) = 'true' multiple < 'TRUE' ¦ refused
[b] - p (boolean) = 'true' ¦ String:1.5 → Boolean:false ¦ Boolean:false → Boolean:false ¦ Path:/a/b → no ¦ Date:2018-01-01T00:00:00.000Z → no ¦ Name:jcr:title → no
[b] - p (boolean) ¦ String:x → Boolean:false ¦ String:jcr:title → Boolean:false ¦ String:1.5 → Boolean:false ¦ Date:2020-06-01T00:00:00.000Z → no ¦ Binary:7 → Boolean:false
[b] - p (date) < '(2020-01-01T00:00:00.000Z,2021-01-01T00:00:00.000Z)' ¦ *Boolean:false → no ¦ String:jcr:title → no ¦ String:abc → no ¦ String:1.5 → no ¦ Date:2020-06-01T00:00:00.000Z → Date:2020-06-01T00:00:00.000Z
[b] - p (date) < '[,2019-01-01T00:00:00.000Z]' ¦ *Path:../x → no ¦ String:a b → no ¦ Decimal:1.50 → Date:1970-01-01T00:00:00.001Z ¦ Date:2020-06-01T00:00:00.000Z → no ¦ String:7 → no
[b] - p (date) < '[2020-01-01T00:00:00.000Z,]' ¦ Long:3 → no ¦ Path:/a/b → no ¦ String:x → no ¦ String:true → no ¦ URI:http://a/b → no
[b] - p (date) = '2018-01-01T00:00:00.000Z' < '[2020,]' ¦ refused
[b] - p (date) = '2018-01-01T00:00:00.000Z' multiple < '[2020,]' ¦ refused
[b] - p (date) = '2020-06-01T00:00:00.000Z' ¦ Name:a → no ¦ Long:9 → Date:1970-01-01T00:00:00.009Z ¦ String:/a/b → no ¦ String:7 → no ¦ Path:/ → no
[b] - p (date) multiple < '[2020-01-01T00:00:00.000Z,]' ¦ *URI:http://a/b → no ¦ *String: → no ¦ *Name:a → no ¦ *Double:1.5 → no
[b] - p (date) ¦ String:abc → no ¦ Boolean:false → no ¦ Date:2018-01-01T00:00:00.000Z → Date:2018-01-01T00:00:00.000Z ¦ Name:jcr:title → no ¦ Double:2.25 → Date:1970-01-01T00:00:00.002Z
[b] - p (decimal) < '[,1.5]' ¦ String:abc → no ¦ Long:3 → no ¦ String:x → no ¦ String: → no ¦ Path:a → no
[b] - p (decimal) < '[1,5]' ¦ Path:/a/b → no ¦ Binary:abc → no ¦ String: → no ¦ String:x → no ¦ URI:http://a/b → no
[b] - p (decimal) < '[1.5,2)' ¦ URI:http://a/b → no ¦ Binary:abcdef → no ¦ Date:2018-01-01T00:00:00.000Z → no ¦ String:true → no ¦ Path:a → no
[b] - p (decimal) < '[2,1]' ¦ refused
[b] - p (decimal) < '[x,]' ¦ refused
[b] - p (decimal) = '1.5' ¦ Path:/a/b → no ¦ Long:-1 → Decimal:-1 ¦ Name:jcr:title → no ¦ Boolean:false → no ¦ Long:9 → Decimal:9
[b] - p (decimal) = '2.5' multiple < '[2,1]' ¦ refused
[b] - p (decimal) = '2.5' protected ¦ *String:/a/b → no ¦ String:1.5 → no ¦ Path:/ → no ¦ Decimal:1.50 → no ¦ Path:../x → no
[b] - p (decimal) multiple < '[1.5,2)' ¦ String:x → no ¦ *Long:9 → no ¦ *Double:1.5 → Decimal:1.5 ¦ *Decimal:7 → no ¦ *Decimal:1.50 → Decimal:1.50
[b] - p (decimal) multiple ¦ String:abc → no ¦ Double:2.25 → no ¦ *Path:/ → no ¦ *Decimal:7 → Decimal:7
[b] - p (decimal) ¦ Date:2018-01-01T00:00:00.000Z → no ¦ Decimal:7 → Decimal:7 ¦ Long:3 → Decimal:3 ¦ Decimal:1.50 → Decimal:1.50 ¦ Long:-1 → Decimal:-1
[b] - p (double) < '(1.5,)' ¦ Path:/ → no ¦ String:jcr:title → no ¦ Double:2.25 → Double:2.25 ¦ String:abc → no ¦ Binary:abc → no
[b] - p (double) < '[1,5]' ¦ URI:a → no ¦ Boolean:true → no ¦ String:2020-06-01T00:00:00.000Z → no ¦ String:jcr:title → no ¦ Decimal:1.50 → Double:1.5
[b] - p (double) < '[1.5,2)' ¦ *Path:a → no ¦ URI:a → no ¦ Double:2.25 → no ¦ Long:9 → no ¦ Double:1.5 → Double:1.5
[b] - p (double) < '[2,1]' ¦ refused
[b] - p (double) < '[x,]' ¦ refused
[b] - p (double) = '1.5' < '[x,]' ¦ refused
[b] - p (double) = '1.5' ¦ Path:../x → no ¦ String:a b → no ¦ URI:http://a/b → no ¦ Binary:7 → Double:7.0 ¦ Name:a → no
[b] - p (double) = 'x' < '[x,]' ¦ refused
[b] - p (double) multiple ¦ *String:a b → no ¦ *Name:a → no ¦ *Name:jcr:title → no ¦ *URI:a → no
[b] - p (double) ¦ URI:http://a/b → no ¦ String:true → no ¦ Long:-1 → Double:-1.0 ¦ String:x → no ¦ Path:../x → no
[b] - p (long) < '(,)' ¦ refused
[b] - p (long) < '(3,)' ¦ String:/a/b → no ¦ String:2020-06-01T00:00:00.000Z → no ¦ Path:/a/b → no ¦ URI:http://a/b → no ¦ Long:9 → Long:9
[b] - p (long) < '5' ¦ refused
[b] - p (long) = '-1' ¦ URI:http://a/b → no ¦ Name:a → no ¦ Path:a → no ¦ String:x → no ¦ String:a b → no
[b] - p (long) = '3' multiple < '5' ¦ refused
[b] - p (long) = '3' multiple ¦ *Boolean:false → no ¦ *String:/a/b → no ¦ *String:abc → no ¦ *String:jcr:title → no ¦ Path:/ → no
[b] - p (long) = '3' ¦ Decimal:1.50 → Long:1 ¦ String:7 → Long:7 ¦ Double:2.25 → Long:2 ¦ String:jcr:title → no ¦ String:abc → no
[b] - p (long) = '9' < '[a,b]' ¦ refused
[b] - p (long) = 'x' < '[1,5]' ¦ refused
[b] - p (long) multiple < '(3,)' ¦ String:a b → no ¦ Long:-1 → no ¦ *Date:2018-01-01T00:00:00.000Z → Long:1514764800000 ¦ *String:2020-06-01T00:00:00.000Z → no
[b] - p (long) ¦ *String:/a/b → no ¦ Long:3 → Long:3 ¦ Path:/ → no ¦ Binary:abc → no ¦ String:1.5 → no
[b] - p (name) < '' ¦ refused
[b] - p (name) < '*' ¦ refused
[b] - p (name) < '{http://www.jcp.org/jcr/1.0}title' ¦ String:7 → no ¦ String:a b → no ¦ Long:9 → no ¦ Path:a → no ¦ Path:/ → no
[b] - p (name) = 'a' < 'a/b' ¦ refused
[b] - p (name) = 'a' < 'jcr:title' ¦ refused
[b] - p (name) = 'a' ¦ Double:1.5 → no ¦ Double:2.25 → no ¦ String:x → Name:x ¦ String:1.5 → Name:1.5 ¦ Long:3 → no
[b] - p (name) = 'jcr:title' < 'no:such' ¦ refused
[b] - p (name) = 'jcr:title' ¦ Binary:abc → Name:abc ¦ Name:a → Name:a ¦ String:jcr:title → Name:jcr:title ¦ String: → no ¦ Boolean:false → no
[b] - p (name) = 'no:such' < 'jcr:title' ¦ refused
[b] - p (name) = 'no:such' ¦ refused
[b] - p (name) multiple < 'no:such' ¦ refused
[b] - p (name) multiple protected < 'no:such' ¦ refused
[b] - p (name) ¦ Path:/ → no ¦ String:7 → Name:7 ¦ Name:jcr:title → Name:jcr:title ¦ Date:2018-01-01T00:00:00.000Z → no ¦ Long:-1 → no
[b] - p (path) < '' ¦ refused
[b] - p (path) < '*' ¦ refused
[b] - p (path) < '../x' ¦ String: → no ¦ Boolean:true → no ¦ Path:../x → Path:../x ¦ String:x → no ¦ Binary:abc → no
[b] - p (path) < '/a' ¦ String:/a/b → no ¦ Binary:7 → no ¦ Path:/ → no ¦ Date:2018-01-01T00:00:00.000Z → no ¦ String:abc → no
[b] - p (path) < '/a/*' ¦ Name:jcr:title → no ¦ String:jcr:title → no ¦ Long:9 → no ¦ Long:-1 → no ¦ String:1.5 → no
[b] - p (path) = '/a//b' < 'a' ¦ refused
[b] - p (path) = '/a//b' < 'a//b' ¦ refused
[b] - p (path) = '/a//b' ¦ refused
[b] - p (path) = '/a/b' < '/a[1]' ¦ refused
[b] - p (path) = '/a/b' multiple < 'a' ¦ refused
[b] - p (path) = 'a' multiple ¦ Path:/a/b → no ¦ Path:a → no ¦ *URI:http://a/b → no ¦ Binary:abc → no ¦ *String:1.5 → Path:1.5
[b] - p (path) multiple ¦ Boolean:true → no ¦ *Boolean:false → no ¦ *Double:2.25 → no ¦ *String:abc → Path:abc ¦ *String: → no
[b] - p (path) ¦ Name:jcr:title → Path:jcr:title ¦ Path:../x → Path:../x ¦ String:abc → Path:abc ¦ Binary:abc → Path:abc ¦ String:2020-06-01T00:00:00.000Z → no
[b] - p (string) < '' ¦ String:2020-06-01T00:00:00.000Z → no ¦ Date:2020-06-01T00:00:00.000Z → no ¦ String:abc → no ¦ String:1.5 → no ¦ String:7 → no
[b] - p (string) < '[x' ¦ refused
[b] - p (string) < 'a|b' ¦ Decimal:1.50 → no ¦ Name:a → String:a ¦ Binary:abcdef → no ¦ Boolean:false → no ¦ URI:http://a/b → no
[b] - p (string) = 'x' multiple ¦ *String: → String: ¦ *URI:a → String:a ¦ *Name:a → String:a ¦ *String:1.5 → String:1.5 ¦ *Path:/a/b → String:/a/b
[b] - p (string) multiple ¦ String:1.5 → no ¦ *URI:http://a/b → String:http://a/b ¦ *Double:2.25 → String:2.25 ¦ *String:a b → String:a b ¦ Path:/a/b → no
[b] - p (string) ¦ Long:-1 → String:-1 ¦ Double:2.25 → String:2.25 ¦ Path:../x → String:../x ¦ Decimal:1.50 → String:1.50 ¦ String: → String:
[b] - p (undefined) multiple ¦ String:x → no ¦ *Long:9 → Long:9 ¦ *String:1.5 → String:1.5 ¦ *Double:2.25 → Double:2.25
[b] - p (undefined) protected ¦ String:7 → no ¦ Binary:abc → no ¦ Boolean:false → no ¦ Path:/a/b → no ¦ String:2020-06-01T00:00:00.000Z → no
[b] - p (undefined) ¦ String:7 → String:7 ¦ Path:../x → Path:../x ¦ Binary:7 → Binary:7 ¦ Long:9 → Long:9 ¦ Path:/a/b → Path:/a/b
[b] - p (uri) < '[^:]*' ¦ Double:2.25 → no ¦ URI:http://a/b → no ¦ String:2020-06-01T00:00:00.000Z → no ¦ String:abc → URI:abc ¦ Boolean:true → no
[b] - p (uri) < 'a(b' ¦ refused
[b] - p (uri) < 'http:.*' ¦ Name:jcr:title → no ¦ Date:2018-01-01T00:00:00.000Z → no ¦ String:/a/b → no ¦ String:a b → no ¦ Path:/ → no
[b] - p (uri) = 'a' protected < 'http:.*' ¦ refused
[b] - p (uri) = 'http://[bad' ¦ refused
[b] - p (uri) multiple < 'http:.*' ¦ *Date:2018-01-01T00:00:00.000Z → no ¦ *String:/a/b → no ¦ *URI:a → no ¦ String:abc → no ¦ URI:http://a/b → no
[b] - p (uri) protected < '[^:]*' ¦ String: → no ¦ Long:9 → no ¦ Binary:abcdef → no ¦ String:x → no ¦ Double:2.25 → no
[b] - p (uri) ¦ Boolean:true → no ¦ String:/a/b → URI:/a/b ¦ Decimal:7 → no ¦ String:jcr:title → URI:jcr:title ¦ Name:jcr:title → URI:./jcr:title
[a] - p (binary) < '[1,5]' [b] > a - p (boolean) ¦ *String:1.5 → no ¦ URI:a → no ¦ Long:-1 → no ¦ Path:../x → no ¦ String:a b → Boolean:false
[a] - p (binary) [b] > a - p (double) ¦ Boolean:true → no ¦ String:7 → Double:7.0 ¦ String:2020-06-01T00:00:00.000Z → no ¦ Name:a → no ¦ Double:2.25 → Double:2.25
[a] - p (binary) [b] > a - p (long) ¦ Date:2020-06-01T00:00:00.000Z → Long:1590969600000 ¦ Path:/ → no ¦ Double:1.5 → Long:1 ¦ Binary:abcdef → Binary:abcdef ¦ Binary:7 → Binary:7
[a] - p (binary) [b] > a - p (undefined) ¦ Boolean:false → Boolean:false ¦ URI:http://a/b → URI:http://a/b ¦ Name:a → Name:a ¦ String:/a/b → String:/a/b ¦ Date:2018-01-01T00:00:00.000Z → Date:2018-01-01T00:00:00.000Z
[a] - p (boolean) [b] > a - p (double) ¦ String:1.5 → Double:1.5 ¦ Double:1.5 → Double:1.5 ¦ Path:/ → no ¦ String:abc → no ¦ URI:http://a/b → no
[a] - p (boolean) [b] > a - p (undefined) ¦ Name:a → Name:a ¦ Boolean:false → Boolean:false ¦ String:abc → String:abc ¦ Name:jcr:title → Name:jcr:title ¦ Binary:abcdef → Binary:abcdef
[a] - p (date) [b] > a - p (binary) ¦ Date:2020-06-01T00:00:00.000Z → Date:2020-06-01T00:00:00.000Z ¦ Long:-1 → Binary:-1 ¦ Boolean:false → Binary:false ¦ String:7 → Binary:7 ¦ Decimal:7 → Binary:7
[a] - p (date) [b] > a - p (boolean) ¦ String:7 → Boolean:false ¦ Name:jcr:title → no ¦ Name:a → no ¦ Boolean:false → Boolean:false ¦ Decimal:7 → no
[a] - p (decimal) < '[1.5,2)' [b] > a - p (uri) ¦ Double:1.5 → no ¦ String:a b → no ¦ String: → URI: ¦ Decimal:1.50 → Decimal:1.50 ¦ Path:a → URI:./a
[a] - p (decimal) [b] > a - p (date) < '[2020-01-01T00:00:00.000Z,]' ¦ URI:a → no ¦ String:abc → no ¦ String:true → no ¦ Binary:7 → no ¦ Path:../x → no
[a] - p (decimal) multiple [b] > a - p (name) ¦ *String:jcr:title → no ¦ *Path:a → no ¦ Long:9 → no ¦ String:a b → Name:a b ¦ *Long:3 → Decimal:3
[a] - p (decimal) multiple [b] > a - p (string) multiple < '[0-9]+' ¦ *Boolean:false → no ¦ *String:true → no ¦ String: → no ¦ *Double:1.5 → no ¦ Date:2020-06-01T00:00:00.000Z → no
[a] - p (decimal) multiple [b] > a - p (string) ¦ *String:x → no ¦ *String:/a/b → no ¦ *Date:2020-06-01T00:00:00.000Z → no ¦ URI:http://a/b → String:http://a/b ¦ *Long:9 → Decimal:9
[a] - p (double) < '[,1.5]' [b] > a - p (decimal) ¦ String:abc → no ¦ Boolean:true → no ¦ Path:a → no ¦ Binary:abcdef → no ¦ Boolean:false → no
[a] - p (double) [b] > a - p (long) multiple ¦ *Boolean:true → no ¦ *Date:2020-06-01T00:00:00.000Z → Long:1590969600000 ¦ *Boolean:false → no ¦ *Double:1.5 → Long:1
[a] - p (double) [b] > a - p (name) ¦ Binary:abcdef → Name:abcdef ¦ Date:2018-01-01T00:00:00.000Z → no ¦ Boolean:false → no ¦ String:abc → Name:abc ¦ String:jcr:title → Name:jcr:title
[a] - p (double) [b] > a - p (uri) ¦ *Long:3 → no ¦ Binary:7 → URI:7 ¦ Boolean:true → no ¦ Path:../x → URI:./../x ¦ Path:a → URI:./a
[a] - p (double) multiple [b] > a - p (double) ¦ *Long:9 → Double:9.0 ¦ *String:abc → no ¦ *Path:/a/b → no ¦ Long:3 → Double:3.0 ¦ *String:/a/b → no
[a] - p (long) [b] > a - p (name) ¦ String:2020-06-01T00:00:00.000Z → no ¦ Date:2018-01-01T00:00:00.000Z → no ¦ Long:-1 → Long:-1 ¦ Long:3 → Long:3 ¦ Binary:abc → Name:abc
[a] - p (long) multiple [b] > a - p (uri) multiple ¦ *URI:http://a/b → URI:http://a/b ¦ *Long:-1 → Long:-1 ¦ *Name:a → URI:./a ¦ *Long:3 → Long:3 ¦ *String:jcr:title → URI:jcr:title
[a] - p (name) [b] > a - p (binary) ¦ Double:1.5 → Binary:1.5 ¦ String:x → Binary:x ¦ Path:a → Binary:a ¦ URI:http://a/b → Binary:http://a/b ¦ Path:/a/b → Binary:/a/b
[a] - p (name) [b] > a - p (boolean) < 'true', 'false' ¦ *Long:-1 → no ¦ Boolean:true → Boolean:true ¦ Path:../x → no ¦ URI:http://a/b → no ¦ Long:9 → no
[a] - p (name) [b] > a - p (decimal) ¦ Path:../x → no ¦ Date:2018-01-01T00:00:00.000Z → no ¦ String:2020-06-01T00:00:00.000Z → no ¦ Path:a → no ¦ String:jcr:title → no
[a] - p (name) [b] > a - p (long) multiple ¦ String:x → Name:x ¦ Name:jcr:title → Name:jcr:title ¦ *String:jcr:title → no ¦ *Name:a → no ¦ Date:2020-06-01T00:00:00.000Z → no
[a] - p (name) [b] > a - p (name) < 'no:such' ¦ refused
[a] - p (name) [b] > a - p (undefined) ¦ Boolean:true → Boolean:true ¦ String:x → String:x ¦ Double:1.5 → Double:1.5 ¦ Boolean:false → Boolean:false ¦ Binary:abcdef → Binary:abcdef
[a] - p (name) multiple [b] > a - p (double) < '(1.5,)' ¦ Long:-1 → no ¦ *Name:a → Name:a ¦ *String:/a/b → no ¦ Boolean:true → no ¦ String:abc → no
[a] - p (path) < '/a/*' [b] > a - p (double) ¦ Long:-1 → Double:-1.0 ¦ URI:a → no ¦ String:1.5 → Double:1.5 ¦ Decimal:7 → Double:7.0 ¦ String:/a/b → no
[a] - p (path) [b] > a - p (binary) multiple ¦ Binary:abc → Path:abc ¦ Name:jcr:title → Path:jcr:title ¦ Path:/a/b → Path:/a/b ¦ *Long:-1 → Binary:-1 ¦ String:2020-06-01T00:00:00.000Z → no
[a] - p (path) [b] > a - p (decimal) < '[1,5]' ¦ String:x → no ¦ Boolean:false → no ¦ String:true → no ¦ String:abc → no ¦ String: → no
[a] - p (path) [b] > a - p (string) ¦ Decimal:1.50 → String:1.50 ¦ Name:a → String:a ¦ Double:1.5 → String:1.5 ¦ Boolean:true → String:true ¦ String:abc → String:abc
[a] - p (string) [b] > a - p (binary) multiple ¦ *Path:a → Binary:a ¦ *String:a b → Binary:a b ¦ String:jcr:title → String:jcr:title ¦ Long:9 → String:9 ¦ Double:1.5 → String:1.5
[a] - p (string) [b] > a - p (long) multiple ¦ *Path:/ → no ¦ Boolean:true → String:true ¦ *Double:2.25 → Long:2 ¦ *Path:../x → no
[a] - p (string) [b] > a - p (string) multiple ¦ String:true → String:true ¦ String:/a/b → String:/a/b ¦ *Long:9 → String:9 ¦ *String:2020-06-01T00:00:00.000Z → String:2020-06-01T00:00:00.000Z ¦ *String:1.5 → String:1.5
[a] - p (undefined) multiple [b] > a - p (date) multiple < '[2020-01-01T00:00:00.000Z,]' ¦ String: → no ¦ Double:1.5 → no ¦ *Boolean:true → Boolean:true ¦ *Path:/ → Path:/ ¦ String:1.5 → no
[a] - p (uri) [b] > a - p (undefined) ¦ String:1.5 → String:1.5 ¦ String:jcr:title → String:jcr:title ¦ Name:jcr:title → Name:jcr:title ¦ String:7 → String:7 ¦ Boolean:false → Boolean:false
[a] mixin - p (binary) [m] mixin - p (decimal) [b] > a, m ¦ URI:http://a/b → Binary:http://a/b ¦ Long:3 → Binary:3 ¦ Double:1.5 → Binary:1.5 ¦ String:true → Binary:true ¦ String: → Binary:
[a] mixin - p (boolean) < 'true' [m] mixin - p (string) [b] > a, m ¦ String: → String: ¦ Name:jcr:title → no ¦ Decimal:7 → no ¦ URI:http://a/b → no ¦ Long:-1 → no
[a] mixin - p (boolean) [m] mixin - p (double) [b] > a, m ¦ Binary:7 → Boolean:false ¦ Long:3 → no ¦ Path:../x → no ¦ Decimal:7 → no ¦ String:a b → Boolean:false
[a] mixin - p (boolean) [m] mixin - p (name) [b] > a, m ¦ String:a b → Boolean:false ¦ Date:2018-01-01T00:00:00.000Z → no ¦ Path:../x → no ¦ URI:a → no ¦ Path:/ → no
[a] mixin - p (boolean) [m] mixin - p (path) [b] > a, m ¦ String:/a/b → Boolean:false ¦ Binary:abc → Boolean:false ¦ Long:-1 → no ¦ Path:/a/b → Path:/a/b ¦ String:2020-06-01T00:00:00.000Z → Boolean:false
[a] mixin - p (boolean) [m] mixin - p (undefined) [b] > a, m ¦ String: → String: ¦ Boolean:true → Boolean:true ¦ Binary:abc → Binary:abc ¦ String:x → String:x ¦ String:abc → String:abc
[a] mixin - p (boolean) [m] mixin - p (uri) [b] > a, m ¦ String:x → URI:x ¦ URI:http://a/b → URI:http://a/b ¦ String:7 → URI:7 ¦ Decimal:1.50 → no ¦ String: → URI:
[a] mixin - p (date) [m] mixin - p (date) < '[2020,]' [b] > a, m ¦ refused
[a] mixin - p (date) [m] mixin - p (undefined) [b] > a, m ¦ *Boolean:false → no ¦ Name:a → Name:a ¦ Decimal:7 → Decimal:7 ¦ Long:9 → Long:9 ¦ Long:3 → Long:3
[a] mixin - p (date) multiple [m] mixin - p (binary) [b] > a, m ¦ Boolean:true → Binary:true ¦ Path:../x → Binary:../x ¦ *Path:/a/b → no ¦ *String:/a/b → no ¦ *Decimal:1.50 → Date:1970-01-01T00:00:00.001Z
[a] mixin - p (date) multiple [m] mixin - p (decimal) [b] > a, m ¦ *String:/a/b → no ¦ *Long:-1 → Date:1969-12-31T23:59:59.999Z ¦ *Path:/ → no ¦ *URI:http://a/b → no ¦ *String:true → no
[a] mixin - p (decimal) [m] mixin - p (date) [b] > a, m ¦ URI:a → no ¦ Long:-1 → Date:1969-12-31T23:59:59.999Z ¦ String:abc → no ¦ Decimal:1.50 → Decimal:1.50
[a] mixin - p (decimal) [m] mixin - p (uri) < '[^:]*' [b] > a, m ¦ String:jcr:title → no ¦ Path:/a/b → no ¦ Double:1.5 → Decimal:1.5 ¦ Binary:abc → no ¦ Name:a → no
[a] mixin - p (double) < '(1.5,)' [m] mixin - p (uri) < 'a(b' [b] > a, m ¦ refused
[a] mixin - p (double) [m] mixin - p (path) [b] > a, m ¦ Double:1.5 → Double:1.5 ¦ String:a b → no ¦ Long:3 → Double:3.0 ¦ Path:/ → Path:/ ¦ Path:../x → Path:../x
[a] mixin - p (double) multiple [m] mixin - p (boolean) [b] > a, m ¦ URI:a → no ¦ *Date:2020-06-01T00:00:00.000Z → Double:1.5909696E12 ¦ *Date:2018-01-01T00:00:00.000Z → Double:1.5147648E12 ¦ String:true → Boolean:true ¦ Double:1.5 → no
[a] mixin - p (long) [m] mixin - p (name) [b] > a, m ¦ String:jcr:title → no ¦ Double:2.25 → Long:2 ¦ String:1.5 → no ¦ Binary:abc → no ¦ Boolean:true → no
[a] mixin - p (long) [m] mixin - p (uri) multiple [b] > a, m ¦ *String:1.5 → URI:1.5 ¦ URI:a → no ¦ Boolean:false → no
[a] mixin - p (long) multiple [m] mixin - p (double) [b] > a, m ¦ *Decimal:1.50 → Long:1 ¦ Boolean:false → no ¦ *String:jcr:title → no ¦ Double:1.5 → Double:1.5
[a] mixin - p (name) < '' [m] mixin - p (date) [b] > a, m ¦ refused
[a] mixin - p (name) [m] mixin - p (double) [b] > a, m ¦ String:2020-06-01T00:00:00.000Z → no ¦ Path:/a/b → no ¦ Binary:abcdef → Name:abcdef ¦ String:jcr:title → Name:jcr:title ¦ Binary:abc → Name:abc
[a] mixin - p (name) [m] mixin - p (string) [b] > a, m ¦ *String:true → no ¦ Binary:7 → String:7 ¦ Date:2018-01-01T00:00:00.000Z → String:2018-01-01T00:00:00.000Z ¦ Name:jcr:title → Name:jcr:title ¦ String:/a/b → String:/a/b
[a] mixin - p (string) [m] mixin - p (boolean) [b] > a, m ¦ String:abc → String:abc ¦ Path:a → String:a ¦ URI:a → String:a ¦ Decimal:1.50 → String:1.50 ¦ String:2020-06-01T00:00:00.000Z → String:2020-06-01T00:00:00.000Z
[a] mixin - p (string) multiple < '' [m] mixin - p (path) [b] > a, m ¦ String:true → Path:true ¦ *URI:a → no ¦ *Date:2018-01-01T00:00:00.000Z → no ¦ *Name:a → no ¦ *Long:-1 → no
[a] mixin - p (undefined) [m] mixin - p (boolean) [b] > a, m ¦ String:a b → String:a b ¦ Long:3 → Long:3 ¦ Path:a → Path:a ¦ Decimal:1.50 → Decimal:1.50 ¦ Binary:abcdef → Binary:abcdef
[a] mixin - p (undefined) [m] mixin - p (double) [b] > a, m ¦ String:abc → String:abc ¦ Boolean:true → Boolean:true ¦ Binary:abc → Binary:abc ¦ Date:2020-06-01T00:00:00.000Z → Date:2020-06-01T00:00:00.000Z ¦ Long:-1 → Long:-1
[a] mixin - p (uri) < 'a(b' [m] mixin - p (decimal) < '[1,5]' [b] > a, m ¦ refused
[a] mixin - p (uri) < 'http:.*' [m] mixin - p (binary) multiple [b] > a, m ¦ *Long:3 → Binary:3 ¦ *String:jcr:title → Binary:jcr:title ¦ *Name:a → Binary:a ¦ Decimal:1.50 → no ¦ *Name:jcr:title → Binary:jcr:title
[a] mixin - p (uri) [m] mixin - p (undefined) [b] > a, m ¦ String:a b → String:a b ¦ String:7 → String:7 ¦ Double:1.5 → Double:1.5 ¦ String: → String: ¦ URI:a → URI:a
`;

/** A line of the table. */
export interface Decision {
  readonly cnd: string;
  /** Null: the types were refused. */
  readonly values: readonly { readonly given: string; readonly stored: string }[] | null;
}

export const DECISIONS: readonly Decision[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [cnd = '', ...cells] = line.split(' ¦ ');
    const values = cells.map((cell) => {
      const [given = '', stored = ''] = cell.split(' → ');
      return { given, stored };
    });
    return { cnd, values: cells[0] === 'refused' ? null : values };
  });
