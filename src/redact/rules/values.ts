/** Pieces of patterns: how names, signs and values are written in configuration, code, prose and JSON inside JSON. */

/** A quote, at any depth of JSON inside JSON. */
export const quote = String.raw`\\{0,16}["'\x60]`
/** A colour of a terminal, as it is or escaped. */
const colour = String.raw`(?:(?:\x1b|\\{1,16}(?:u001b|x1b|e|033))\[[0-9;]{0,9}m){0,2}`
/** Space between lines, too. */
const space = String.raw`(?:[\s,;]|\\{1,16}[nrt]){1,40}`
const sign = '(?:={1,3}>?|:=|:)'

/** `=`, `:`, `=>`, behind whatever closes the name: quotes, a bracket, emphasis, a type. */
export const assigned = String.raw`(?:${quote})?\]?${colour}\*{0,2}[ \t]{0,40}(?::[ \t]?string[ \t]{0,2}(?==))?${sign}\*{0,2}[ \t]{0,8}${colour}`
/** The value of a pair, as in `{"name": "API_KEY", "value": "…"}`, a manifest, a setting in XML or a field of a form. */
export const paired = `${quote}?${space}${quote}?(?:value|--body|-b)${quote}?(?:[ \\t]{0,4}[:=][ \\t]{0,4}|(?<=--body|-b)[ \\t=]{1,4})`
/** The same in a list of properties: `<key>API_KEY</key><string>…`. */
export const listed = String.raw`</key>(?:\s|\\{1,16}[nrt]){0,40}<string>`
/** In a command, a flag and its value are parted by a space, and so are a variable and its value in some commands and recipes. */
export const parted = String.raw`(?<=(?:--|\b(?:ENV|ARG|setx|setenv|set -g?x|set -Ux|configure set|config set|secrets? set|env[: ](?:set|add)|user-secrets set) {1,2}(?:${quote})?)[\w:.-]{0,60})(?:${quote})?[ \t]{1,4}`
/** An argument behind the name, of what defines a constant or sets a variable. */
export const defined = String.raw`(?<=\b(?:define|setdefault|putenv|setenv|setItem|SetEnvironmentVariable)\([ \t]{0,2}${quote}[\w.-]{0,60})${quote}[ \t]{0,2},[ \t]{0,2}(?=${quote})`
/** Inside of an element of XML. */
export const enclosed = String.raw`(?<=<[\w:.-]{1,60})>(?=[^<\r\n]{1,2048}</)`
/** In prose and in tables nothing assigns, so that judges look closer. */
export const stated = String.raw`(?:${quote})?\*{0,2}(?:[ \t](?:is|ist|lautet|was)(?: now)?:?[ \t]|[ \t]{0,40}\|[ \t]{0,8})`
/** In columns that spaces fill, the name of a variable stands first on its line and the value last. */
export const aligned = String.raw`(?<=(?:^|[\n\r"]|\\[nr])[A-Z][A-Z0-9_]{2,60})(?: {2,60}|\t{1,4})`

/** Ends at its own quote (one that is escaped once more is part of it), or, where a limit has cut the text off, at the quote of what is around it. Its quote is group `quote`. */
export const quotedValue = String.raw`(?<quote>${quote})((?:(?!\k<quote>)(?:[^\s\\]|\\{1,16}["'])|\\u[0-9a-fA-F]{4}|\\\/){6,2048})(?=${quote}|$|…|\.\.\.)`
const bareEnd = String.raw`\s\x1b"'\x60,;&|<>()\[\]{}\\`
/**
 * Taken at once and to its end, for none of its beginnings could be the value; what stands behind it is group `stop`. It matches always,
 * so that a rule goes on behind it and never reads the same text twice.
 */
export const bareValue = String.raw`(?!--)(?=(?<bare>[^${bareEnd}]{6,})(?<stop>[^]?))(\k<bare>)`
/** The same to the next space or quote: all that can be the rest of a line. */
export const restOfLine = String.raw`(?!--)(?=(?<rest>[^\s\x1b"'\x60\\]{6,})(?<stop>[^]?))(\k<rest>)`

/** The same to the next element. */
export const restOfElement = String.raw`(?=(?<rest>[^\s\x1b"'\x60\\<]{6,})(?<stop>[^]?))(\k<rest>)`

/** What goes on with a bracket is a call or an index, that is, code. */
export const isCode = ({ groups }: RegExpExecArray): boolean => /^[([{]/.test(groups?.stop ?? '')
