import * as z from 'zod/mini'
import type { Discovery } from '../collect/discover.ts'
import { homely } from './table.ts'

/** The part of every JSON answer that says where was looked. */
export const scannedShape = () =>
  z.array(z.object({ platform: z.string(), root: z.string(), found: z.boolean() }))

export const noticesShape = () =>
  z.array(
    z.object({
      platform: z.string(),
      path: z.string(),
      message: z.string(),
    }),
  )

export const scannedOf = (found: Discovery): z.output<ReturnType<typeof scannedShape>> =>
  found.roots.map(({ platform, path, found: exists }) => ({ platform, root: path, found: exists }))

export const noticesOf = (found: Discovery): z.output<ReturnType<typeof noticesShape>> =>
  found.notices.map((notice) => ({ ...notice }))

/** Where was looked, a line each. */
export function* scannedLines(found: Pick<Discovery, 'roots'>, home: string): Generator<string> {
  for (const root of found.roots)
    yield `  ${root.found ? '✓' : '✗'} ${homely(root.path, home)} (${root.reason})${root.found ? '' : ' is not there'}\n`
}

/** What was found and not read, a line each: no listing shows such a place as empty. */
export function* noticeLines(
  notices: z.output<ReturnType<typeof noticesShape>>,
  home: string,
): Generator<string> {
  for (const { path, message } of notices) yield `${homely(path, home)}: ${message}\n`
}
