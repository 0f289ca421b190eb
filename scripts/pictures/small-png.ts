import { deflateSync, inflateSync, crc32 as sumOf } from 'node:zlib'

/** More colors than one byte can name are merged with the most frequent ones. */
const MOST_COLORS = 256
/** Colors that differ by less than this in each channel look the same. */
const ALIKE = 3
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export interface Image {
  width: number
  height: number
  /** `0xRRGGBB` of each pixel, row by row. */
  pixels: Uint32Array
}

/** The same picture with a palette: a screenshot takes about half of the bytes. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, pixels } = decoded(png)
  const { palette, indexOf } = paletteOf(pixels)
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = indexOf.get(pixels[y * width + x]!)!
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 3, 0, 0, 0], 8)
  const colors = Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]))
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', colors),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A picture in shades of gray, one byte for each pixel. */
export function grayPng(width: number, height: number, shades: Uint8Array): Buffer {
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) rows.set(shades.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(sumOf(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** Bytes of a pixel by the type of its color: gray, with or without transparency. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 6: 4 }

/** Reads what browsers and `grayPng` write: 8 bits for each channel, not interlaced. */
export function decoded(png: Buffer): Image {
  const width = png.readUInt32BE(16)
  const height = png.readUInt32BE(20)
  const channels = CHANNELS[png[25]!] ?? 3
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  const bytes = inflateSync(Buffer.concat(parts))
  const stride = width * channels
  const pixels = new Uint32Array(width * height)
  let above: Uint8Array = new Uint8Array(stride)
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1)
    const row = bytes.subarray(start + 1, start + 1 + stride)
    unfilter(row, above, bytes[start]!, channels)
    for (let x = 0; x < width; x++) {
      const at = x * channels
      const [red, green, blue] = channels === 1 ? [row[at]!, row[at]!, row[at]!] : row.subarray(at, at + 3)
      pixels[y * width + x] = (red! << 16) | (green! << 8) | blue!
    }
    above = row
  }
  return { width, height, pixels }
}

/** Undoes the filter of a row in place. */
function unfilter(row: Uint8Array, above: Uint8Array, filter: number, channels: number): void {
  for (let at = 0; at < row.length; at++) {
    const a = at < channels ? 0 : row[at - channels]!
    const b = above[at]!
    const c = at < channels ? 0 : above[at - channels]!
    const guess = [0, a, b, (a + b) >> 1, nearest(a, b, c)][filter]!
    row[at] = row[at]! + guess
  }
}

function nearest(a: number, b: number, c: number): number {
  const guess = a + b - c
  const [ofA, ofB, ofC] = [Math.abs(guess - a), Math.abs(guess - b), Math.abs(guess - c)]
  return ofA <= ofB && ofA <= ofC ? a : ofB <= ofC ? b : c
}

const distance = (a: number, b: number): number =>
  Math.max(
    Math.abs((a >> 16) - (b >> 16)),
    Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)),
    Math.abs((a & 255) - (b & 255)),
  )

/** The most frequent colors that can be told from each other, and which of them stands for each color. */
function paletteOf(pixels: Uint32Array): { palette: number[]; indexOf: Map<number, number> } {
  const counts = new Map<number, number>()
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1)
  const colors = [...counts].sort((a, b) => b[1] - a[1]).map(([color]) => color)
  const palette: number[] = []
  for (const color of colors) {
    if (palette.length === MOST_COLORS) break
    if (colors.length <= MOST_COLORS || palette.every((each) => distance(each, color) > ALIKE))
      palette.push(color)
  }
  const indexOf = new Map<number, number>()
  for (const color of colors) {
    let best = 0
    for (let index = 1; index < palette.length; index++)
      if (distance(palette[index]!, color) < distance(palette[best]!, color)) best = index
    indexOf.set(color, best)
  }
  return { palette, indexOf }
}
