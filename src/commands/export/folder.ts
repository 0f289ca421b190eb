import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Session } from '../../model/session.ts'
import type { Gate } from '../../render/gate.ts'
import { oneLine, plainMarkdown } from '../../render/markdown.ts'
import { printable } from '../../render/printable.ts'
import { dated } from '../../render/text.ts'
import { createGatedFile, type GatedFile, type Written } from '../kit/output-file.ts'
import type { Piece } from '../kit/pieces.ts'
import { shortId } from '../kit/session-names.ts'

/** Writes one file per session, and a list of them. */
export function toFolder(folder: string, pieces: Iterable<Piece>, gate: Gate): Written {
  const files: Written['files'] = []
  const rows: string[] = []
  const names = new Set<string>()
  let file: GatedFile | undefined
  let path = ''
  try {
    for (const { session, text, last } of pieces) {
      if (!file) {
        path = join(folder, nameFor(session, names, gate))
        file = createGatedFile(path, gate)
      }
      file.write(text)
      if (!last) continue
      file.done()
      file = undefined
      files.push({ path, bytes: statSync(path).size })
      rows.push(rowFor(session, path.slice(folder.length + 1)))
    }
  } catch (error) {
    file?.drop()
    throw error
  }
  const index = join(folder, 'index.md')
  const list = createGatedFile(index, gate)
  list.write(`# Sessions\n\n| when | session | yours | theirs |\n|---|---|---|---|\n${rows.join('')}`)
  list.done()
  return { files: [{ path: index, bytes: statSync(index).size }, ...files], sessions: files.length }
}

function nameFor({ id, startedMs, modifiedMs }: Session, names: Set<string>, gate: Gate): string {
  const stem = `${dated(startedMs ?? modifiedMs).slice(0, 10)}-${fileName(gate.text(shortId(id)))}`
  let name = `${stem}.md`
  for (let number = 2; names.has(name); number++) name = `${stem}-${number}.md`
  names.add(name)
  return name
}

function rowFor(session: Session, name: string): string {
  const title = plainMarkdown(
    oneLine(printable(session.title ?? '(no words)'))
      .slice(0, 120)
      .toWellFormed(),
  )
  // Without any recorded time, the file's own time is used and marked.
  const when = session.startedMs === undefined ? `~${dated(session.modifiedMs)}` : dated(session.startedMs)
  return `| ${when} | [${title}](${encodeURI(name)}) | ${session.human} | ${session.agentMessages} |\n`
}

/** A file name that is valid on every system. */
export const fileName = (text: string): string =>
  text.replace(/[^\w.-]+/g, '_').replace(/^[._]+/, '') || 'export'
