/** Pieces of patterns: how names, signs and values are written in configuration, code, prose and JSON inside JSON. */

/** A quote, at any depth of JSON inside JSON. */
export const quote = String.raw`\\{0,16}["'\x60]`
/** A colour of a terminal, as it is or escaped. */
const colour = String.raw`(?:(?:\x1b|\\{1,16}(?:u001b|x1b|e|033))\[[0-9;]{0,9}m){0,2}`
/** Space between lines, too. */
const space = String.raw`(?:[\s,;]|\\{1,16}[nrt]){1,40}`
const sign = '(?:={1,3}>?|:=|:)'

/** `=`, `:`, `=>`, behind whatever closes the name: quotes, a bracket, emphasis, a type. */
export const assigned = String.raw`(?:${quote})?\]?${colour}\*{0,2}[ \t]{0,8}(?::[ \t]?string[ \t]{0,2}(?==))?${sign}\*{0,2}[ \t]{0,8}${colour}`
/** The value of a pair, as in `{"name": "API_KEY", "value": "…"}`, a manifest, a setting in XML or a field of a form. */
export const paired = `${quote}?${space}${quote}?value${quote}?[ \\t]{0,4}[:=][ \\t]{0,4}`
/** In a command, a flag and its value are parted by a space, and so are a variable and its value in a recipe for an image. */
export const parted = String.raw`(?<=(?:--|\b(?:ENV|ARG) )[A-Za-z_-]{0,60})[ \t]{1,4}`
/** Inside of an element of XML. */
export const enclosed = String.raw`(?<=<[\w:.-]{1,60})>`
/** In prose and in tables nothing assigns, so that judges look closer. */
export const stated = String.raw`(?:${quote})?\*{0,2}(?:[ \t](?:is|ist|lautet|was)(?: now)?:?[ \t]|[ \t]{0,8}\|[ \t]{0,8})`

/** Ends at its own quote (one that is escaped once more is part of it), or, where a limit has cut the text off, at the quote of what is around it. Its quote is group `quote`. */
export const quotedValue = String.raw`(?<quote>${quote})((?:(?!\k<quote>)(?:[^\s\\]|\\{1,16}["'])|\\u[0-9a-fA-F]{4}|\\\/){6,2048})(?=${quote}|$|…|\.\.\.)`
const bareEnd = String.raw`\s"'\x60,;&|<>()\[\]{}\\`
/** Taken at once, for none of its beginnings could be the value. What goes on with a bracket is a call or an index, that is, code. */
export const bareValue = String.raw`(?!--)(?=(?<bare>[^${bareEnd}]{6,2048}))(\k<bare>)(?=$|[\s"'\x60,;&|<>)\]}\\])`
