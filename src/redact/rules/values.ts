/** Parts of patterns: names, operators and values in configuration, code, prose and JSON inside JSON. */

/** A quote, at any depth of JSON inside JSON, or as an escape or an entity. */
export const quote = String.raw`(?:\\{0,16}["'\x60]|\\{1,16}(?:u00|x)2[27]|&(?:quot|apos|#0?3[49]|#x2[27]);|%2[27])`
/** A terminal color code, raw or escaped, or what is left of one that a hidden character split. */
const color = String.raw`(?:(?:\x1b|\\{1,16}(?:u001b|x1b|e|033))?\[[0-9;]{0,9}m){0,2}`
/** White space, including line breaks. */
const space = String.raw`(?:[\s,;]|\\{1,16}[nrt]){1,40}`
const sign = '(?:={1,3}>?|:=|:|：|%3[ADad])'

/** `=`, `:`, `=>` after anything that closes the name: quotes, a bracket, emphasis, a type. */
export const assigned = String.raw`(?:${quote})?\]?${color}\*{0,2}[ \t]{0,40}(?::[ \t]?string[ \t]{0,2}(?==))?${sign}\*{0,2}[ \t]{0,8}${color}`
/**
 * The value of a pair, as in `{"name": "API_KEY", "value": "…"}`, a manifest, XML settings or a form field.
 */
const attribute = String.raw`(?:${quote})?\w{1,20}(?:${quote})?[:=][ ]?(?:${quote})?[\w .#-]{0,40}(?:${quote})?[,\s]{1,3}`
export const paired = `(?: (?:field|input|box))?${quote}?${space}(?:${attribute}){0,4}?${quote}?(?:(?:parameter)?value|text|--body|-b)${quote}?(?:[ \\t]{0,4}[:=][ \\t]{0,4}|(?<=--body|-b)[ \\t=]{1,4})`
/** The same in a property list or a file of settings: `<key>API_KEY</key><string>…`. */
export const listed = String.raw`</(?:key|name)>(?:\s|\\{1,16}[nrt]){0,40}<(?:string|value)>`
/** The value of an object with the name: an output or a variable of Terraform. */
export const nested = String.raw`${quote}?[ \t]{0,4}[:=]?[ \t]{0,40}\{(?:[^{}]{0,200}?[\s,;{])?(?:\\{1,16}[nrt])?${quote}?(?:value|default)${quote}?[ \t]{0,40}[:=][ \t]{0,8}`
/**
 * What is typed into the field with the name: the next argument of a call (`fill('#password', '…')`), or the
 * argument of the next call (`getByLabel('Password').fill('…')`).
 */
const field = String.raw`(?:[_-][\w-]{0,16})?(?:${quote}|[\]/i]| ?\}){1,6}`
const typing =
  '(?:fill|type|sendKeys|send_keys|setValue|set_value|val|set|input|pressSequentially|press_sequentially|insertText|clearAndType|fill_in|fillIn|fillField|enterText)'
export const typed = String.raw`${field}(?:(?<=${typing}[( ][^\r\n]{1,160})\)?,[ \t]{0,2}(?:with:[ \t])?|\){1,3}(?:\.first\(\)|\.nth\(\d\))?(?:(?:\.|->)${typing}\([ \t]{0,2}|\.value[ \t]{0,2}=[ \t]{0,2}))(?=${quote})`
/** A space separates an option from its value, and in some commands and recipes a variable from its value. */
export const parted = String.raw`(?<=(?:--|\b(?:ENV|ARG|setx|setenv|set -g?x|set -Ux|configure set|config set|secrets? set|env[: ](?:set|add)|user-secrets set) {1,2}(?:${quote})?)[\w:.-]{0,60})(?:${quote})?[ \t]{1,4}`
/** The argument after the name in a call that defines a constant or sets a variable. */
export const defined = String.raw`(?<=\b(?:define|setdefault|putenv|setenv|setItem|SetEnvironmentVariable)\([ \t]{0,2}${quote}[\w.-]{0,60})${quote}[ \t]{0,2},[ \t]{0,2}(?=${quote})`
/** The content of an XML element. */
export const enclosed = String.raw`(?<=<[\w:.-]{1,60})>(?=[^<\r\n]{1,2048}</)`
/** Prose and tables have no operator, so judges are stricter. */
export const stated = String.raw`(?:${quote})?\*{0,2}(?:[ \t](?:is|ist|lautet|was)(?: now)?:?[ \t]|[ \t]{0,40}\|[ \t]{0,8})`
/** In columns aligned by spaces, the name of a variable is first on its line and its value last. */
export const aligned = String.raw`(?<=(?:^|[\n\r"]|\\[nr])[A-Z][A-Z0-9_]{2,60})(?: {2,60}|\t{1,4})`

/**
 * Ends at its own quote (a quote that is escaped once more belongs to the value) or, if a limit cut the text
 * off, at the surrounding quote. The quote is the group `quote`.
 */
export const quotedValue = String.raw`(?<quote>${quote})((?:(?!\k<quote>)(?:[^\s\\]|\\{1,16}["']|\\u[0-9a-fA-F]{4}|\\\/)){6,2048})(?=${quote}|$|…|\.\.\.)`
const bareEnd = String.raw`\s\x1b"'\x60,;&|<>()\[\]{}\\`
/**
 * Matched in one step and to its end, because no shorter match can be the value. The character after it is
 * the group `stop`. Always matches, so that a rule continues after it and never reads the same text twice.
 */
export const bareValue = String.raw`(?!--)(?=(?<bare>[^${bareEnd}]{6,})(?<stop>[^]?))(\k<bare>)`
/** The same, up to the next space or quote: the rest of a line. */
export const restOfLine = String.raw`(?!--)(?=(?<rest>[^\s\x1b"'\x60\\]{6,})(?<stop>[^]?))(\k<rest>)`

/** The same, up to the next element. */
export const restOfElement = String.raw`(?=(?<rest>[^\s\x1b"'\x60\\<]{6,})(?<stop>[^]?))(\k<rest>)`

/** A value followed by a bracket is a call or an index, and so code. */
export const isCode = ({ groups }: RegExpExecArray): boolean => /^[([{]/.test(groups?.stop ?? '')
