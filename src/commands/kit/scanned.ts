import * as z from 'zod/mini'
import type { Discovery } from '../../collect/discover.ts'
import { homely } from '../../render/table.ts'

/** The part of every JSON answer that lists the roots that were read. */
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

/** The roots that were read, one per line. */
export function* scannedLines(found: Pick<Discovery, 'roots'>, home: string): Generator<string> {
  for (const root of found.roots)
    yield `  ${root.found ? '✓' : '✗'} ${homely(root.path, home)} (${root.reason})${root.found ? '' : ' is missing'}\n`
}

/** The notices, one per line, so that no listing shows an unreadable root as empty. */
export function* noticeLines(
  notices: z.output<ReturnType<typeof noticesShape>>,
  home: string,
): Generator<string> {
  for (const { path, message } of notices) yield `${homely(path, home)}: ${message}\n`
}
