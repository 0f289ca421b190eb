/** Parts of patterns: names, operators and values in configuration, code, prose and JSON inside JSON. */

/** Longer values are data. Tokens of clouds and cookies of logins may have more than 4,000 characters. */
export const LONGEST_VALUE = 16_384

/**
 * What tools write before the text of a line: signs of a diff, line numbers, times, levels, names of files,
 * programs and containers, and frames.
 */
const pieces = [
  // Steps of a build.
  String.raw`#\d{1,3} \d{1,5}\.\d{1,3}`,
  // Diffs, quotations, frames, prompts, comments and lists.
  '[-+<>|│┃▏*$#!]{1,2}|//|remote:',
  // Times.
  String.raw`\d{10}\.\d{3,6}`,
  String.raw`\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z| UTC|[+-]\d\d:?\d\d)?\]?`,
  String.raw`\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?`,
  String.raw`[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{6} {1,8}\d{1,8} [\w./-]{1,60}:\d{1,6}\]`,
  String.raw`[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d(?: [\w.-]{1,60})?`,
  // Numbers of lines, whose tab may be escaped.
  String.raw`\d{1,6}(?:\t|\\{1,16}t| {0,4}[→|│:-]|\.? )`,
  // Levels and streams, and loggers of Python.
  String.raw`\[?(?:INFO|DEBUG|WARN(?:ING)?|ERROR|CRITICAL|TRACE|NOTICE|LOG|stdout|stderr)\]?(?: F| \(\d{1,7}\)|:[\w.]{1,60}(?=:))?:?`,
  // Loggers of Java, Rust and Ruby.
  String.raw`[A-Za-z][\w$.]{0,99} -(?= )(?<=\.[\w$]{1,40} -|[A-Z]\]? {1,2}\w{1,40} -)`,
  String.raw`\w{1,40}(?:::\w{1,40}){1,8}:`,
  String.raw`[DIWEF], \[[\dT:. #-]{10,50}\] {1,2}[A-Z]{4,5} -- [\w. ]{0,30}:`,
  // The job, the step and the time of a workflow, and the pod and the container.
  String.raw`[\w .()/:-]{1,60}\t[\w .()/:-]{1,60}\t\d{4}-\d\d-\d\dT[\d:.]{8,20}Z`,
  String.raw`[a-z][a-z\d-]{1,60}-[a-z\d]{4,10}-[a-z\d]{5} [a-z][a-z\d-]{0,40}(?= )`,
  // A failed test.
  'E(?= {3})',
  // Names of programs, containers and files.
  String.raw`\[[\w .:/@-]{1,40}\]:?`,
  String.raw`(?:[\w.-]{1,60} )?[\w.-]{1,40}\[\d{1,7}\]:`,
  String.raw`[\w.-]{1,40} {1,20}[|│]`,
  String.raw`[\w./@-]{1,120}(?::\d{1,6}:|-\d{1,6}-(?<=[./][\w@-]{1,99}))`,
]

/** The source of a pattern. Matches nothing as well, and a bounded number of characters. */
export const linePrefix = String.raw`(?:[ \t]{0,12}(?:${pieces.join('|')})){0,5}[ \t]{0,64}`

/** A quote, at any depth of JSON inside JSON, or as an escape or an entity. */
export const quote = String.raw`(?:\\{0,16}["'\x60]|\\{1,16}(?:u00|x)2[27]|&(?:quot|apos|#0?3[49]|#x2[27]);|%2[27])`
/** A terminal color code, raw or escaped, or what is left of one that a hidden character split. */
const color = String.raw`(?:(?:\x1b|\\{1,16}(?:u001b|x1b|e|033))?\[[0-9;]{0,9}m){0,2}`
const sign = `(?:[?+]?={1,3}>?|:=|:|：|%3[ADad]|→|[›▸➜](?<![›▸➜][^\\r\\n]{0,40}.)|(?<=[ \\t])->(?=[ \\t])|(?:(?:\\|\\||\\?[?:])=?|(?:<-|or)(?<=[ \\t]..))(?=[ \\t]{0,2}${quote}))`
/** The type of a variable: `: string =`, `: &'static str =`, `string =`. In `: aB3xY=9`, a value follows. */
const ofType = String.raw`(?:(?::[ \t]?&?(?:'static )?(?!\w{0,30}\d\w{0,30}=[^\s"'\x60=>])[A-Za-z][\w.<>[\]?]{0,30}|(?<=[ \t])(?:as )?string)[ \t]{0,2}(?==))?`

/** Emphasis of Markdown, and tags of HTML. */
const marked = String.raw`(?:\*{1,2}|_{1,2}|<\/?(?:b|strong|em|i|code|kbd|span|label|td|th|tr|p|li)>){0,3}`
/** What C# writes between a name and its value. */
const accessors = '(?:\\{ get; (?:(?:private |protected )?(?:set|init); )?\\} )?'
/** Before a value that is a call, the second of two, in brackets, or a string of a certain type. */
const wrapping = String.raw`(?:(?:(?:[bBrRuU]{1,2}|\$(?='))(?=["'])|[fF](?=["'][^"'{\r\n]{4,128}["'])|@(?=")|[a-z$_][\w$.]{0,30}(?:\([^()\r\n]{0,60}\))? (?:or|[|?][|?:]) (?=${quote})|(?:String::from|SecretString::from|SecretStr|Some|\[\]byte|c|(?:new )?String|bcrypt|(?:hash|make|encrypt)_?Password|Hash::make|Buffer\.from|QStringLiteral|TEXT|_T)\((?=${quote})|!!str (?=\S{6})|(?:\s{0,40}|[ \t]{0,8}\r?\n${linePrefix})string\(\d{1,5}\) (?=")|\{(?<=[;?&][\w ]{1,24}=\{)(?=[^{}\s"'\x60]{6,128}\}(?:[;"'\s\\]|$))|(?<==)\{(?=[^{}\s"'\x60]{6,128}\};)|\[(?!REDACTED:)(?=[^\]\s]{0,127}\d)(?=[^[\]\s"'\x60,]{6,128}\](?:\s|$))))?`
/** `=`, `:`, `=>` after anything that closes the name: quotes, a bracket, emphasis, a type. */
export const assigned = String.raw`(?![ \t]{1,40}(?!as string)[a-np-rt-z])(?:${quote})?(?:\[\d{0,4}\]|[\])](?=\s{0,2}(?:[|?]|or ))|\])?${color}${marked}[ \t]{0,40}${accessors}${ofType}${sign}${marked}[ \t\xa0]{0,40}${color}${marked}${wrapping}`
/** The value of an object with the name: an output or a variable of Terraform. */
export const nested = String.raw`${quote}?[ \t]{0,4}[:=]?[ \t]{0,40}\{(?:[^{}]{0,200}?[\s,;{])?(?:\\{1,16}[nrt])?${quote}?(?:value|default)${quote}?[ \t]{0,40}[:=][ \t]{0,8}`
/**
 * What is typed into the field with the name: the next argument of a call (`fill('#password', '…')`), or the
 * argument of the next call (`getByLabel('Password').fill('…')`).
 */
const field = String.raw`(?:[_-][\w-]{0,16})?(?:${quote}|[\]/i]| ?\}){1,6}`
const typing =
  '(?:fill|type|sendKeys|send_keys|setValue|set_value|val|set|input|pressSequentially|press_sequentially|insertText|typeText|setText|clearAndType|fill_in|fillIn|fillField|enterText|replaceText)'
/** A variable that holds a field: `passwordInput`. */
export const fieldNames = ['input', 'field', 'box', 'textbox', 'element']
const fieldName = `(?:${fieldNames.join('|')})?`
const typedInto = String.raw`(?:(?:\.|->)(?:perform\()?${typing}\([ \t]{0,2}|\.value[ \t]{0,2}=[ \t]{0,2})`
const nextArgument = String.raw`(?<=${typing}[( ][^\r\n]{1,160})\){0,3},[ \t]{0,2}(?:with:[ \t])?`
const changed = String.raw`(?<=change\([^\r\n]{1,160})\){0,2},[ \t]{0,2}\{[ \t]{0,2}target:[ \t]{0,2}\{[ \t]{0,2}value:[ \t]{0,2}`
export const typed = String.raw`(?:${field}(?:${nextArgument}|${changed}|\){1,3}(?:\.(?:first|nth|clear|click|focus)\(\d?\)){0,2}${typedInto}|(?<=\])${typedInto})|(?<=passw(?:or)?d)${fieldName}(?:${nextArgument}|${changed}|\){0,3}${typedInto}))(?=${quote})`
/** A space separates an option from its value, and in some commands and recipes a variable from its value. */
export const parted = String.raw`(?=[ \t"'\x60\\&%])(?:(?<=(?:--|(?<=[\w"'\\]\s{1,12})-(?=\w{0,12}p)|\((?:setq|setf|setenv) |#define {1,2}|\b(?:ENV|ARG|fastcgi_param|setx(?: \/[mM])?|setenv|set -g?x|set -Ux|configure set|config set|secrets? set|env[: ](?:set|add)|user-secrets set) {1,2}(?:${quote})?)[\w:./-]{0,80})(?:${quote})?(?:[ \t]{1,4}(?!pass:)|(?<=--[\w-]{0,60}${quote}),\s{0,4}(?=${quote}))|(?<=[a-z]Password|(?:^|[\n\r"]|\\n)[\d\t ]{0,12}Pass)[ \t](?='[^'\s]{6,64}'(?:[\s;,)]|$)|"[^"\s]{6,64}"(?:[\s;,)]|$)))`
/** What tells the token, key or secret of a call from another: `.clientSecret('…')`, `.setApiKey('…')`. */
const ofCall = '(?:api|access|auth|client|refresh|secret|private|signing|webhook)_?'
/** The argument of a call that sets it (`.setPassword('…')`, `.password('…')`), or that makes it once. */
export const called = String.raw`\((?<=(?:\.|->|::|\b(?:set|with|hash|check|verify|make|compare|reset|change|update|encrypt|validate)_?)(?:password|passwd|(?:${ofCall}){0,2}(?:token|secret)|(?:${ofCall}){1,2}key)\()[ \t]{0,2}(?=${quote})|(?<=\bva[lr] \w{1,40}) by (?:extra\(|lazy ?\{ ?)(?=${quote})|[({](?=${quote})(?<=\b[Ss]tring \w{1,40}[({])|\)? \{ (?=["'][^"'\r\n]{6,64}["'] \})`
/**
 * What is taken if the variable is not set (`${DB_PASSWORD:-…}`, `.unwrap_or("…")`), or what a test expects:
 * `expect(user.password).toBe("…")`.
 */
export const otherwise = String.raw`\)\.[\w.]{2,24}\((?<=\b(?:expect|assertThat)\([\w.$!?\[\]]{1,80}\)[\w.]{3,25}\()(?=${quote})|(?::[-=])(?<=\$\{[\w.]{1,80}:[-=])(?=[^\s}$]{4,256}\})|${quote}?\)(?:\.(?:unwrap_or(?:_else)?|orElse|getOrElse)\((?:\|_\| ?)?|(?<=fetch\([^()\r\n]{1,80}\)) \{ ?)(?=${quote})`
/** A variable of PowerShell as a path: `Set-Item -Path Env:API_KEY -Value '…'`, and one in the registry. */
export const put = String.raw`(?=["'\x60\\&% \t])(?<=\benv:\\{0,16}[\w-]{1,60})(?:${quote})?[ \t]{1,4}(?:-Value(?:[ \t]{1,4}|:))?|[ \t]{1,8}(?:\/t )?REG_SZ[ \t]{1,8}(?:\/d )?`
/**
 * The argument after the name in a call that defines a constant, a header, an option or a variable, and the
 * second part of a pair.
 */
export const defined = String.raw`["'] to (?=["'])|(?=["'])${quote}, ?(?<=\bMap\.of\([^()\r\n]{0,300})(?=${quote})|(?=["'\x60\\&%])(?<=(?:\b(?:define|setdefault|setProperty|putenv|set_?env|setItem|SetEnvironmentVariable|get_?[Ee]nv|env|environ\.get|ENV\.fetch|getOrDefault|config|put|option|add_argument|set_var|user_pref|append|add|set|String(?:Var)?)|[Hh]eaders?(?:\.(?:Add|Append))?)\((?:&[\w.]{1,40},)?[ \t]{0,2}${quote}[\w.-]{0,60})${quote}[ \t]{0,2},[ \t]{0,12}(?:(?:type=\w{1,10}, ?)?default=)?(?=${quote})|(?=["'\\])${quote}, ?(?=["'])(?<=[([] ?${quote}[\w.-]{0,60}${quote}, ?)(?=(?<pair>["'])(?![^"']{1,64}@[\w-]{1,64}\.)(?=[^"']{0,127}(?:[!#-&*+:=?@~^]|\d[^"']{0,127}\d))[^\s"',]{6,128}\k<pair> ?[)\]])`
/** White space between elements. */
const nextElement = String.raw`(?:[\s│|]|\\{1,16}[nrt]){0,40}(?:(?<=[\n\r]|\\[nr])${linePrefix})?`
/** The content of an XML element, which may have attributes. */
export const enclosed = String.raw`(?=[ >])(?<=<[\w:.-]{1,60})(?: [\w:.-]{1,40}=${quote}[^"'<>\\]{0,200}${quote}){0,4}>(?:<!\[CDATA\[|${nextElement}<Value>|[ \t]{1,4})?(?=[^<\r\n]{1,${LONGEST_VALUE}}</)`
/** Prose and tables have no operator, so judges are stricter. */
export const stated = String.raw`(?:${quote})?\*{0,2}(?:[ \t](?:is|ist|lautet|was)(?: now)?:?[ \t]|[ \t]{0,40}\|[ \t]{0,8}|[ \t]{1,3}[-–—][ \t]{1,3})`
/** A backslash within a value. Before one of these letters it may be an escape. */
export const backslash = String.raw`\\{1,16}(?![nrtbf"'\x60\\/\s]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|$)`
/** Quotes within a value in single quotes, as shells (`'\\''`, `'"'"'`) and SQL (`''`) write them. */
export const insideQuotes = String.raw`(?<=[^\s'"])(?:'\\{1,8}''|'"'"'|'')(?=[^\s,;:)\]}'"])`
/**
 * Ends at its own quote (a quote that is escaped once more belongs to the value) or, if a limit cut the text
 * off, at the surrounding quote. The quote is the group `quote`.
 */
export const quotedValue = String.raw`(?<quote>'\\{1,8}''|'"'"'|"{3}|(?<!')''(?=[^'\s,;:)\]}]{6,200}'')|${quote})((?!\$\{[\w.]{1,80}:[-=])(?:${insideQuotes}|(?!\k<quote>)(?:[^\s\\]|\\{1,16}["']|\\u[0-9a-fA-F]{4}|\\\/|${backslash})){6,${LONGEST_VALUE}})(?=${quote}|$|…|\.\.\.)`
const bareEnd = String.raw`\s\x1b"'\x60,;&|<>()\[\]{}\\`
/**
 * Matched in one step and to its end, because no shorter match can be the value. The character after it is
 * the group `stop`. Always matches, so that a rule continues after it and never reads the same text twice.
 */
export const bareValue = String.raw`(?!--|\.[*+]|process\.env|import\.meta)(?=(?<bare>[^${bareEnd}]{6,})(?<stop>[^]?))(\k<bare>)`
/** The same, up to the next space: the rest of a line. A quote inside it is between letters or digits. */
export const restOfLine = String.raw`(?!--|\.[*+]|["']|[bBrRfFuU]{1,2}["']|process\.env|import\.meta)(?=(?<rest>(?:[^\s\x1b"'\x60\\]|(?<=[A-Za-z0-9])["'](?=[A-Za-z0-9])|${backslash}){5,})(?<stop>[^]?))(\k<rest>)`

/** The same, up to the next element, the end of `CDATA` or the next field of a connection string. */
export const restOfField = String.raw`(?=(?<rest>(?:[^\s\x1b"'\x60\\<;&,\]]|\](?!\]>)|[;&,](?![\w .-]{1,30}=)){6,})(?<stop>[^]?))(\k<rest>)`
/** A connection string has more fields, or a quote is before the name and behind the value. */
export const inField = String.raw`(?=[^\s"'\x60;&]{1,128}[;&][\w .-]{1,30}=|(?<=["'][\w.-]{1,80}=)[^\s"'\x60]{6,128}["'])`

/** At most `length` characters of a text before a position, for judges. */
export const textBefore = (text: string, position: number, length: number): string =>
  text.slice(Math.max(0, position - length), position)

/** A value followed by a bracket is a call or an index, and so code. */
export const isCode = ({ groups }: RegExpExecArray): boolean => /^[([{]/.test(groups?.stop ?? '')

/**
 * Parts of patterns for sentences in English, German, French, Spanish, Italian, Portuguese, Polish,
 * Chinese.
 */

/** What a password is called in them. */
export const passwordNouns = (
  'password|passphrase|passcode|passwort|kennwort|mot de passe|contrasena|contraseña|senha|palavra-passe|haslo|hasło|' +
  "hasła|hasłem|hasla|haslem|parola d'ordine|wachtwoord|lösenord|lösenordet|passordet|adgangskoden"
).split('|')

const verbs = [
  'has been (?:set|changed|reset) to',
  '(?:(?:was|is|got) )?(?:set|changed|reset|updated) to',
  'is(?:…|\\.{3})?',
  'used to be',
  'remains',
  'was',
  'are',
  'should (?:now )?be',
  'must be',
  "it['’]s",
  'reads',
  '(?:will|would) be',
  'ist',
  'war',
  'wäre',
  'lautet',
  '(?:wurde|wird) (?:jetzt |nun )?(?:auf|in|zu)',
  'heißt',
  'est',
  "c['’]est",
  'était',
  'sera',
  'devient',
  'a été (?:changé|remplacé|modifié|mis)e? (?:en|par|à)',
  'es',
  'era',
  'será',
  'ahora es',
  '(?:se )?cambió a',
  'è',
  'sarà',
  'è stat[ao] (?:cambiat|impostat)[ao] (?:in|a)',
  'é',
  'foi (?:alterad|mudad)[ao] para',
  'to',
  'brzmi',
  'jest',
  'będzie',
  'zmieniono na',
  'wynosi',
  'är',
  'er',
]
const adverbs = 'now|still|just|currently|jetzt|nun|aktuell|maintenant|désormais|ahora|ora|adesso|agora|teraz'
const chinese =
  '(?:现在|目前|已经?|就)?(?:是|(?:[设設](?:[置定])?|[更重]?[改新置]|修改|[更替]?换)?(?:[为為]|成了?))'

/** `is`, `lautet`, `是`, or a colon. */
export const verb = `(?:(?:[’']s|[ \\t]{1,3}(?:${verbs.join('|')}))(?:[ \\t](?:${adverbs}))?[ \\t]{0,2}[:=]?[ \\t\xa0]{1,3}|[ \\t]{0,3}${chinese}[ \\t]{0,3}[:：]?[ \\t]{0,3}|[ \\t]{0,3}[:：=—は는은][ \\t\xa0]{0,3})`
/** `for the server`, `von Bob`: words between the name of the secret and the verb. */
export const between = String.raw`(?:[ \t]{1,2}(?!(?:is|ist|est|es|è|é|not|and|or|und|et|y|e|i)[ \t])[\p{L}\p{N}@._/'’()-]{1,32}){0,6}?`

const marks = String.raw`"'\x60“”„«»‘’「」『』<>\\，。；、！？（）`
/** What emphasizes a value. */
export const opening = String.raw`\\{0,16}["'\x60“”„«»‘*_(（「『]{0,3} ?`
/** Signs that are not the end of a value between two letters or digits, unless a name follows. */
const insideSpoken = String.raw`(?<=[A-Za-z0-9])(?:["']|(?<=\d[^\s,]{0,24}),(?![^\s,]{0,64},)|\\(?![nrtbfux]))(?=[A-Za-z0-9])(?![A-Za-z_]\w{0,24}["']?[ ]?[:=])`
/** A value in a sentence. A sign at the end of the sentence does not belong to it. */
export const spokenValue = String.raw`((?![bBrRfFuU]{1,2}["'])(?:[^\s,${marks}]|${insideSpoken}){4,127}[^\s,${marks}.;:)*_](?:(?<!(?<![^\s(])[*_]{1,3}[^\s]{3,127})[*_](?=["'\s.,;:!?)]|$))?)`

/** In columns aligned by spaces, the name is first on its line and the value last. */
export const aligned = String.raw`(?: {2,60}|\t{1,4})(?<=(?:^|[\n\r"]|\\[nr])(?:[^\r\n"]{0,80}(?:[\])|│>→:\t]|\dZ|INFO|DEBUG|WARN|ERROR|stdout|stderr)[ \t]{0,12}|[-+>\s]{0,16})[A-Z](?:[A-Z0-9_]{2,60}|[a-z]{1,20}(?: [a-z]{1,20})?)[ \t]{1,60})`

/**
 * The same in lower case, in a table of names and values or below the name of an account: `password   X`.
 */
export const recorded = String.raw`(?: {2,60}|\t{1,4})(?<=(?<![\w.=-])[a-z][\w.-]{2,60}[ \t]{1,60})(?<=\bKey {2,60}Value[^]{0,2000}|\b(?:login|user|username)[ \t]{1,20}\S{1,64}\s{1,3}[^\r\n]{0,100}[ \t]{1,60})`

/** A line begins, in a text whose line ends may be escaped, or a text in quotes. */
export const lineBegins = String.raw`(?:^|[\n\r"'\x60]|\\[nr])`

/**
 * The source of a look-behind: a sign of a diff, or the line that `grep` prints, perhaps with a file, is
 * before the position. They belong to no word. Only at the beginning of a line, so that few positions are
 * affected.
 */
export const afterSign = String.raw`(?<=(?:^|[\n\r"]|\\[nr])(?:[-+]{1,2}|(?:[\w./@-]{1,120}[:-])?\d{1,6}[:-]))`

/** White space, including line breaks and what tools write at both ends of a line. */
export const space = String.raw`(?:[\s,;│|]|\\{1,16}[nrt]){1,40}(?:(?<=[\n\r]|\\[nr])${linePrefix})?`
/**
 * The value of a pair, as in `{"name": "API_KEY", "value": "…"}`, a manifest, XML settings or a form field.
 */
const attribute = String.raw`(?:${quote})?\w{1,20}(?:${quote})?[:=][ ]?(?:${quote})?[\w .#-]{0,40}(?:${quote})?[,\s]{1,3}(?:(?<=[\n\r])[^\r\n"']{0,120}(?=["']))?`
export const paired = `(?: (?:field|input|(?:text)?box))?${quote}?${space}(?:${attribute}){0,4}?${quote}?(?:(?:parameter)?value|text|content|--body|-b)${quote}?(?:[ \\t]{0,4}[:=][ \\t]{0,4}|(?<=--body|-b)(?:[ \\t=]{1,4}|(?=["'])))`
/** The same in a property list or a file of settings: `<key>API_KEY</key><string>…`. */
export const listed = String.raw`(?:</(?:dt|th|td|b|strong)>${nextElement}<(?:dd|td|code)>|${quote};s:\d{1,5}:(?=\\{0,16}")|${quote}(?:\r?\n|(?:\\{1,16}r)?\\{1,16}n){2}(?<=form-data; name=[^\r\n]{1,80}\s{2,4})|</(?:[\w-]{0,20}-)?(?:key|name)>${nextElement}<(?:[\w-]{0,20}-)?(?:string|value)>|(?=["'\\&%])${quote}(?<=(?:name|key)=${quote}[\w.-]{0,80}${quote})(?: type=${quote}[\w:]{1,20}${quote})?>(?=[^<\r\n]{1,${LONGEST_VALUE}}</\w{1,40}>)|${quote}(?: [\w-]{1,30}=${quote}[\w.-]{0,40}${quote}){0,3}>${nextElement}<value>)`
