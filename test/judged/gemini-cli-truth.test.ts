import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readLines } from '../../src/io/lines.ts'
import { parseLine } from '../../src/io/parse-line.ts'
import { openSource } from '../../src/io/source.ts'
import type { Artifact } from '../../src/model/artifact.ts'
import { createFold, foldEntries } from '../../src/model/fold/fold.ts'
import { geminiCli } from '../../src/platforms/gemini-cli/index.ts'

interface Request {
  kind: string
  usage?: Record<string, number>
  interrupted?: boolean
}

/** What was typed, served and billed while a real client wrote these files. */
interface Truth {
  sessions: {
    session_id: string | null
    cwd: string
    parent?: string
    files: string[]
    human_prompts: string[]
    kept_elsewhere?: Record<string, string>
    tool_calls: { name: string; target: string; result_head: string | null; failed: boolean | null }[]
    requests: Request[]
  }[]
}

const folder = join(process.env.SCROLLBACK_CORPUS ?? '/nowhere', 'gemini-cli/real-client')
const versions = existsSync(folder) ? readdirSync(folder) : []

/** Requests of the client itself are billed and recorded nowhere. */
const isRecorded = ({ kind, interrupted }: Request): boolean =>
  !interrupted && (kind === 'main' || kind === 'sub')

/** The truth judges by the words of a result, and a file that was written contains some. */
const hasFailed = ({ name, failed }: { name: string; failed: boolean | null }): boolean =>
  failed === true && name !== 'write_file'

/** Reads a session as `sync/read` does, which knows the listed platforms only. */
function read(artifact: Artifact) {
  const fold = createFold(artifact, { keep: 'condensed' })
  const source = openSource(artifact.path)
  const platform = {
    normalize: (entry: unknown) => geminiCli.records.normalize(entry, artifact),
    record: geminiCli.identity.record,
  }
  readLines(source, (line) => {
    const origin = { line: line.number, offset: line.offset, length: line.length }
    fold.line(origin)
    foldEntries(parseLine(line.bytes, line.start, line.end), origin, platform, fold)
  })
  source.close()
  return fold.finish()
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

describe.runIf(versions.length > 0)('the folders of real Gemini CLI clients', () => {
  it.each(versions)('have the words, calls, errors and tokens that were exchanged: %s', (version) => {
    const root = {
      platform: 'gemini-cli',
      path: join(folder, version, '.gemini'),
      reason: 'test',
      found: true,
    }
    const { artifacts, notices } = geminiCli.files.discover(root, { home: '/nowhere', variables: {} })
    expect(notices).toEqual([])
    const sessions = new Map(artifacts.map((artifact) => [artifact.path, read(artifact)]))
    const truth = JSON.parse(readFileSync(join(folder, version, 'truth.json'), 'utf8')) as Truth
    const wrong: unknown[] = []
    let compared = 0
    for (const each of truth.sessions) {
      if (each.files.length === 0) continue
      const parts = each.files.map((file) => sessions.get(join(folder, version, file))!)
      compared += parts.length
      const items = parts.flatMap((part) => part.items)
      const own = each.requests.filter(isRecorded).map(({ usage = {} }) => usage)
      const usages = parts.flatMap(({ session }) => session.usage ?? [])
      const human = items.flatMap(({ who, text }) =>
        who === 'human' && text && !text.startsWith('!') ? [text] : [],
      )
      const actual = {
        human,
        cwds: [...new Set(parts.flatMap(({ session }) => session.cwds.map(([cwd]) => cwd)))],
        parent: parts[0]!.session.parentSessionId,
        tools: items.flatMap(({ who, tool }) => (who === 'tool' && tool ? [tool.name] : [])),
        errors: sum(parts.map(({ session }) => session.errors)),
        input: sum(usages.map(({ input, cacheRead }) => input + cacheRead)),
        output: sum(usages.map(({ output }) => output)),
        unknown: parts.map(({ session }) => session.accounting.unknown),
      }
      const expected = {
        human: each.human_prompts.map((prompt) =>
          each.kept_elsewhere?.[prompt] === undefined ? prompt : prompt.replace(/\?$/, ''),
        ),
        cwds: [each.cwd],
        parent: each.parent?.slice(0, 8),
        tools: each.tool_calls.map(({ name }) => name),
        errors: each.tool_calls.filter(hasFailed).length,
        input: sum(own.map(({ promptTokenCount = 0 }) => promptTokenCount)),
        output: sum(
          own.map(
            ({ candidatesTokenCount = 0, thoughtsTokenCount = 0 }) =>
              candidatesTokenCount + thoughtsTokenCount,
          ),
        ),
        unknown: parts.map(() => ({})),
      }
      if (JSON.stringify(actual) !== JSON.stringify(expected))
        wrong.push({ id: each.session_id, actual, expected })
    }
    expect(wrong).toEqual([])
    expect(compared).toBe(sessions.size)
  })
})
