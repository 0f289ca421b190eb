// Walks JSON lines once, 16 bytes at a time inside strings. Reports for each line whether it is a single
// valid JSON object and the positions of the values of the wanted keys. Validity is exactly that of
// JSON.parse on the decoded line; otherwise the line is UNSURE and the caller parses it. Written in
// AssemblyScript; `npm run build:scanner` compiles it to ../scanner.wasm.ts. ../layout.ts defines the memory
// layout.

// One u64 per level: tape address of the container | tracked << 32 | array << 33 | key << 40.
const STACK: usize = 0x10000
const MAX_DEPTH: u32 = 4000
// 1024 slots of 32 bytes: first 8 bytes, last 8 bytes, length, id, address, flags.
const TABLE: usize = 0x18000
const OUT: usize = 0x40000
const OUT_END: usize = 0x140000

const BLANK: u32 = 0
const OBJECT: u32 = 1
const UNSURE: u32 = 2

const STRING: u32 = 1
const NUMBER: u32 = 2
const TRUE: u32 = 3
const FALSE: u32 = 4
const NULL: u32 = 5
const OBJECT_VALUE: u32 = 6
const ARRAY_VALUE: u32 = 7

const ESCAPED: u32 = 1 << 24
const ELEMENT: u32 = 1 << 25
/** Deeper pairs are walked but not reported. */
const REPORT_DEPTH: u32 = 5

/** Start of the first line that was not reported. */
export let consumed: usize = 0

let escaped: bool = false

// @ts-expect-error: decorator
@inline
function slotOf(first: u64, last: u64, length: usize): usize {
  const hash: u64 = (first ^ (last * 0x9e3779b97f4a7c15) ^ (length as u64)) * 0xff51afd7ed558ccd
  return (hash >> 54) as usize
}

// @ts-expect-error: decorator
@inline
function firstEight(at: usize, length: usize): u64 {
  const first = load<u64>(at)
  return length >= 8 ? first : first & (((1 as u64) << ((length as u64) * 8)) - 1)
}

// @ts-expect-error: decorator
@inline
function lastEight(at: usize, length: usize): u64 {
  return length > 8 ? load<u64>(at + length - 8) : 0
}

/**
 * Adds the word at `at` to the vocabulary. `flags` bit 0: walk into containers under this key. Bit 1: skip
 * lines of this type.
 */
export function learn(at: usize, length: usize, id: u32, flags: u32): void {
  const first = firstEight(at, length)
  const last = lastEight(at, length)
  let slot = slotOf(first, last, length)
  while (load<u32>(TABLE + slot * 32 + 20) != 0) slot = (slot + 1) & 1023
  const entry = TABLE + slot * 32
  store<u64>(entry, first)
  store<u64>(entry, last, 8)
  store<u32>(entry, length as u32, 16)
  store<u32>(entry, id, 20)
  store<u32>(entry, at as u32, 24)
  store<u32>(entry, flags, 28)
}

/** The slot of a word, or 0 if it is not in the vocabulary. */
function lookup(at: usize, length: usize): usize {
  if (length == 0 || length > 40) return 0
  const first = firstEight(at, length)
  const last = lastEight(at, length)
  let slot = slotOf(first, last, length)
  while (true) {
    const entry = TABLE + slot * 32
    if (load<u32>(entry, 20) == 0) return 0
    if (load<u64>(entry) == first && load<u64>(entry, 8) == last && load<u32>(entry, 16) == (length as u32)) {
      if (length <= 16 || memory.compare(at + 8, (load<u32>(entry, 24) as usize) + 8, length - 16) == 0) return entry
    }
    slot = (slot + 1) & 1023
  }
}

// @ts-expect-error: decorator
@inline
function isHex(code: u32): bool {
  return code - 48 < 10 || (code | 32) - 97 < 6
}

/** From the first byte of a string to its closing quote; 0 if the string is invalid. Sets `escaped`. */
function stringEnd(start: usize): usize {
  let p = start
  const quote = i8x16.splat(34)
  const backslash = i8x16.splat(92)
  const control = i8x16.splat(32)
  while (true) {
    const bytes = v128.load(p)
    const mask = i8x16.bitmask(
      v128.or(v128.or(i8x16.eq(bytes, quote), i8x16.eq(bytes, backslash)), i8x16.lt_u(bytes, control)),
    )
    if (mask == 0) {
      p += 16
      continue
    }
    p += ctz(mask)
    const code: u32 = load<u8>(p)
    if (code == 34) return p
    if (code != 92) return 0
    escaped = true
    const next: u32 = load<u8>(p, 1)
    if (next == 110 || next == 34 || next == 92 || next == 116 || next == 47 || next == 114 || next == 98 || next == 102) {
      p += 2
    } else if (next == 117) {
      if (!(isHex(load<u8>(p, 2)) && isHex(load<u8>(p, 3)) && isHex(load<u8>(p, 4)) && isHex(load<u8>(p, 5)))) return 0
      p += 6
    } else return 0
  }
}

// @ts-expect-error: decorator
@inline
function isDigit(at: usize): bool {
  return (load<u8>(at) as u32) - 48 < 10
}

/** One past the number at `start`; 0 if it is not a JSON number. */
function numberEnd(start: usize): usize {
  let p = start
  if (load<u8>(p) == 45) p++
  if (!isDigit(p)) return 0
  if (load<u8>(p) == 48) p++
  else while (isDigit(p)) p++
  if (load<u8>(p) == 46) {
    p++
    if (!isDigit(p)) return 0
    while (isDigit(p)) p++
  }
  if ((load<u8>(p) | 32) == 101) {
    p++
    if (load<u8>(p) == 43 || load<u8>(p) == 45) p++
    if (!isDigit(p)) return 0
    while (isDigit(p)) p++
  }
  return p
}

// @ts-expect-error: decorator
@inline
function skipSpace(at: usize): usize {
  let p = at
  let code = load<u8>(p)
  while (code == 32 || code == 9 || code == 13) code = load<u8>(++p)
  return p
}

let tape: usize = OUT
let overflow: bool = false

// @ts-expect-error: decorator
@inline
function report(meta: u32, start: usize, end: usize): void {
  if (tape > OUT_END - 16) {
    overflow = true
    return
  }
  store<u32>(tape, meta)
  store<u32>(tape, start as u32, 4)
  store<u32>(tape, end as u32, 8)
  tape += 12
}

let kind: u32 = 0

/**
 * Walks one line. Returns the position of its newline if the line is blank or one valid object (see `kind`),
 * and 0 if it is unsure.
 */
function walk(start: usize): usize {
  let p = skipSpace(start)
  let code: u32 = load<u8>(p)
  if (code == 10) {
    kind = BLANK
    return p
  }
  if (code != 123) return 0
  let depth: u32 = 1
  let tracked = true
  let inArray = false
  let key: u32 = 0 // of the pair being read; inside an array, of the array
  let descend = false
  let reportable = true
  store<u64>(STACK + 8, (1 as u64) << 32)
  p++
  let afterOpen = true
  while (true) {
    // Expect a key or the end of an object, or an element or the end of an array.
    p = skipSpace(p)
    code = load<u8>(p)
    if (afterOpen && code == (inArray ? 93 : 125)) {
      // An empty container is closed below.
    } else {
      let meta: u32 = 0
      if (!inArray) {
        if (code != 34) return 0
        const keyStart = p + 1
        escaped = false
        const keyEnd = stringEnd(keyStart)
        if (keyEnd == 0) return 0
        key = 0
        descend = false
        if (tracked) {
          if (escaped) return 0
          const entry = lookup(keyStart, keyEnd - keyStart)
          if (entry != 0) {
            key = load<u32>(entry, 20)
            descend = (load<u32>(entry, 28) & 1) != 0
          }
        }
        p = skipSpace(keyEnd + 1)
        if (load<u8>(p) != 58) return 0
        p = skipSpace(p + 1)
        code = load<u8>(p)
        reportable = tracked && key != 0 && depth <= REPORT_DEPTH
        meta = key | (depth << 8)
      } else {
        reportable = tracked && depth <= REPORT_DEPTH
        descend = true
        meta = key | (depth << 8) | ELEMENT
      }
      if (code == 34) {
        escaped = false
        const valueStart = p + 1
        p = stringEnd(valueStart)
        if (p == 0) return 0
        if (reportable) {
          const entry: usize = escaped ? 0 : lookup(valueStart, p - valueStart)
          const id: u32 = entry != 0 ? load<u32>(entry, 20) : 0
          report(meta | (STRING << 12) | (id << 16) | (escaped ? ESCAPED : 0), valueStart, p)
        }
        p++
      } else if (code == 123 || code == 91) {
        if (depth >= MAX_DEPTH) return 0
        // Save the state, then enter the container.
        const at: usize = reportable && tape <= OUT_END - 16 ? tape : 0
        const opensArray = code == 91
        if (reportable) report(meta | ((opensArray ? ARRAY_VALUE : OBJECT_VALUE) << 12), p, 0)
        const level = STACK + depth * 8
        store<u64>(level, (load<u64>(level) & 0xffffffffff) | ((key as u64) << 40))
        depth++
        tracked = reportable && descend
        inArray = opensArray
        store<u64>(
          STACK + depth * 8,
          (at as u64) |
            ((tracked ? (1 as u64) : 0) << 32) |
            ((inArray ? (1 as u64) : 0) << 33) |
            ((key as u64) << 40),
        )
        p++
        afterOpen = true
        continue
      } else if (code == 116) {
        if (load<u32>(p) != 0x65757274) return 0
        if (reportable) report(meta | (TRUE << 12), p, p + 4)
        p += 4
      } else if (code == 102) {
        if (load<u32>(p, 1) != 0x65736c61) return 0
        if (reportable) report(meta | (FALSE << 12), p, p + 5)
        p += 5
      } else if (code == 110) {
        if (load<u32>(p) != 0x6c6c756e) return 0
        if (reportable) report(meta | (NULL << 12), p, p + 4)
        p += 4
      } else {
        const valueStart = p
        p = numberEnd(p)
        if (p == 0) return 0
        if (reportable) report(meta | (NUMBER << 12), valueStart, p)
      }
      p = skipSpace(p)
      code = load<u8>(p)
      if (code == 44) {
        p++
        afterOpen = false
        continue
      }
      if (code != (inArray ? 93 : 125)) return 0
    }
    // Close all containers that end here.
    while (true) {
      p++
      const at = load<u32>(STACK + depth * 8) as usize
      if (at != 0) store<u32>(at + 8, p as u32)
      depth--
      if (depth == 0) {
        p = skipSpace(p)
        if (load<u8>(p) != 10 || overflow) return 0
        kind = OBJECT
        return p
      }
      const state = load<u64>(STACK + depth * 8)
      tracked = (state & 0x100000000) != 0
      inArray = (state & 0x200000000) != 0
      key = (state >> 40) as u32
      p = skipSpace(p)
      code = load<u8>(p)
      if (code == 44) {
        p++
        afterOpen = false
        break
      }
      if (code != (inArray ? 93 : 125)) return 0
    }
  }
}

/** `{"type":`, the required beginning of a line whose type is to be found without walking it. */
const TYPE_FIRST: u64 = 0x3a2265707974227b
/** `parentUu`: after `{"`, the beginning of another record. */
const OTHER_RECORD: u64 = 0x7555746e65726170

/**
 * The newline of a line that is skipped because of its type; 0 for any other line. Only its type is reported.
 * The rest is only searched for another record, which follows on the same line if a newline was lost. Such a
 * line, and one that does not end like an object, is walked after all.
 */
function passOver(start: usize): usize {
  if (load<u64>(start) != TYPE_FIRST || load<u8>(start, 8) != 34) return 0
  const valueStart = start + 9
  escaped = false
  const valueEnd = stringEnd(valueStart)
  if (valueEnd == 0 || escaped || load<u8>(valueEnd, 1) != 44) return 0
  const word = lookup(valueStart, valueEnd - valueStart)
  const type = lookup(start + 2, 4)
  if (word == 0 || type == 0 || (load<u32>(word, 28) & 2) == 0) return 0
  const opening = i8x16.splat(123)
  const quote = i8x16.splat(34)
  const wanted = i8x16.splat(10)
  let p = valueEnd + 1
  while (true) {
    const bytes = v128.load(p)
    let mask = i8x16.bitmask(
      v128.or(i8x16.eq(bytes, wanted), v128.and(i8x16.eq(bytes, opening), i8x16.eq(v128.load(p, 1), quote))),
    )
    while (mask != 0) {
      const at = p + ctz(mask)
      if (load<u8>(at) == 10) {
        if (load<u8>(at - 1) != 125) return 0
        report(load<u32>(type, 20) | (1 << 8) | (STRING << 12) | (load<u32>(word, 20) << 16), valueStart, valueEnd)
        kind = OBJECT
        return at
      }
      const before: u32 = load<u8>(at - 1)
      if (before != 58 && before != 44 && before != 91) return 0
      if (load<u64>(at, 2) == OTHER_RECORD) return 0
      mask &= mask - 1
    }
    p += 16
  }
}

/** The first newline at or after `at`. The caller guarantees that one exists. */
function newline(at: usize): usize {
  let p = at
  const wanted = i8x16.splat(10)
  while (true) {
    const mask = i8x16.bitmask(i8x16.eq(v128.load(p), wanted))
    if (mask != 0) return p + ctz(mask)
    p += 16
  }
}

/**
 * Reports the lines of [start, end). The byte before `end` must be a newline. Reports for each line: start,
 * end (of the newline), kind, number of pairs; then three words per pair. Returns the number of lines. Stops
 * early if the report is full; `consumed` is where to continue.
 */
export function scan(start: usize, end: usize): u32 {
  let p = start
  let count: u32 = 0
  tape = OUT
  while (p < end && tape < OUT_END - 0x10000) {
    const header = tape
    tape += 16
    overflow = false
    let stop = passOver(p)
    if (stop == 0) stop = walk(p)
    if (stop == 0) {
      kind = UNSURE
      tape = header + 16
      stop = newline(p)
    }
    store<u32>(header, p as u32)
    store<u32>(header, stop as u32, 4)
    store<u32>(header, kind, 8)
    store<u32>(header, ((tape - header - 16) / 12) as u32, 12)
    count++
    p = stop + 1
  }
  consumed = p
  return count
}
