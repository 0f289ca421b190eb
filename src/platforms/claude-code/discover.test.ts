import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixture, fixtureRoot, rootAt, transcripts } from '../../../test/claude-code-fixtures.ts'
import { temporaryHome } from '../../../test/records.ts'
import { readSession } from '../../collect/read/read-session.ts'
import { opened } from '../../io/source.ts'
import { describe as describeArtifact } from './discover.ts'

const A = 'ea570000-0000-4000-8000-00000000000a'
const LINE = '{"type":"user","uuid":"u","message":{"role":"user","content":"hi"}}\n'

function folder(...files: string[]): string {
  const root = join(temporaryHome(), '.claude')
  mkdirSync(join(root, 'projects'), { recursive: true })
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), LINE)
  }
  return root
}

const found = (root: string, reason?: string) => [...transcripts(rootAt(root, reason)).files.keys()]

describe('discovering transcripts below projects', () => {
  it('finds all three layouts, and nothing next to them', () => {
    expect([...transcripts(fixtureRoot('nested-agents')).files.keys()]).toMatchInlineSnapshot(`
      [
        "-srv-eastore/ea570000-0000-4000-8000-000000000001.jsonl",
        "-srv-eastore/ea570000-0000-4000-8000-000000000001/subagents/agent-a20ef48.jsonl",
        "-srv-eastore/ea570000-0000-4000-8000-000000000001/subagents/workflows/wf_stock/agent-a3530e884e16702d1.jsonl",
      ]
    `)
    expect(
      [...transcripts(fixtureRoot('flat-agents')).files.values()].map(({ kindHint }) => kindHint),
    ).toEqual(['subagent', 'subagent', undefined])
  })

  it('stores the folder as a hint and takes the path from the records', () => {
    const result = fixture('slugs').map((artifact) => {
      const [directory] = readSession(artifact, { keep: 'counts' }).session.cwds
      return [
        artifact.slug!.length > 200 ? `${artifact.slug!.slice(0, 20)}…` : artifact.slug,
        directory?.[0].slice(0, 24),
      ]
    })
    expect(result).toMatchInlineSnapshot(`
      [
        [
          "-home---caf-",
          "/home/é/café",
        ],
        [
          "-srv-a-b-c-d",
          "/srv/a@b+c~d",
        ],
        [
          "-srv-a-very-long-fol…",
          "/srv/a-very-long-folder-",
        ],
        [
          "-srv-a-very-long-fol…",
          "/srv/a-very-long-folder-",
        ],
        [
          "-srv-my-app-v2",
          "/srv/my_app.v2",
        ],
        [
          "-srv-tea---cups",
          "/srv/tea & cups",
        ],
        [
          "C--Users-Ann-eastore",
          "C:\\Users\\Ann\\eastore",
        ],
      ]
    `)
  })

  it('opens no file to find transcripts, and only the files of a session to describe it', () => {
    const seen: string[] = []
    opened.listener = (path) => void seen.push(path)
    try {
      const artifacts = fixture('titles')
      expect(seen).toEqual([])
      for (const artifact of artifacts) describeArtifact(artifact)
      expect(seen.map((path) => path.split('/').at(-1))).toEqual([
        'custom-title.json',
        'archived.json',
        'custom-title.json',
      ])
    } finally {
      opened.listener = undefined
    }
  })

  it('accepts the projects folder itself only if it is given explicitly', () => {
    const root = folder(`projects/-a/${A}.jsonl`)
    const projects = transcripts(rootAt(join(root, 'projects'), '--claude-dir'))
    expect([...projects.files.values()].map(({ slug }) => slug)).toEqual(['-a'])
    expect(found(join(root, 'projects'))).toEqual([])
  })

  it('finds nothing in a missing directory', () => {
    const root = folder()
    expect(transcripts(rootAt(join(root, 'nowhere')))).toEqual({ files: new Map(), notices: [] })
  })

  it('reports a folder that it cannot list', () => {
    const root = folder(`projects/-a/${A}.jsonl`, `projects/-b/${A}.jsonl`)
    chmodSync(join(root, 'projects/-a'), 0)
    const { files, notices } = transcripts(rootAt(root))
    chmodSync(join(root, 'projects/-a'), 0o700)
    // root can list everything.
    if (process.getuid?.() === 0) expect(files.size).toBe(2)
    else expect(notices.map(({ message }) => message)).toEqual(['cannot be listed (EACCES)'])
  })
})

describe('symbolic links', () => {
  it('are not followed, and those that lead outside are reported', () => {
    const outside = folder(`projects/-o/${A}.jsonl`)
    const root = folder(`archive/old/${A}.jsonl`)
    symlinkSync(join(outside, 'projects/-o'), join(root, 'projects/-out'))
    symlinkSync(join(root, 'archive/old'), join(root, 'projects/-in'))
    mkdirSync(join(root, 'projects/-f'))
    symlinkSync(join(outside, `projects/-o/${A}.jsonl`), join(root, `projects/-f/${A}.jsonl`))
    symlinkSync(join(root, 'nowhere.jsonl'), join(root, 'projects/-f/broken.jsonl'))
    expect(found(root)).toEqual([])
    expect(
      transcripts(rootAt(root))
        .notices.map(({ path }) => path.slice(root.length + 1))
        .sort(),
    ).toEqual(['projects/-f/broken.jsonl', `projects/-f/${A}.jsonl`, 'projects/-in', 'projects/-out'])
  })

  it('list nothing twice and cause no endless loop', () => {
    const root = folder(`projects/-a/${A}.jsonl`, `projects/-a/${A}/subagents/agent-a1.jsonl`)
    symlinkSync(join(root, 'projects/-a'), join(root, 'projects/-again'))
    symlinkSync(join(root, `projects/-a/${A}/subagents`), join(root, `projects/-a/${A}/subagents/loop`))
    symlinkSync(root, join(root, `projects/-a/${A}/subagents/top`))
    symlinkSync(join(root, `projects/-a/${A}.jsonl`), join(root, 'projects/-a/second-name.jsonl'))
    expect(found(root)).toEqual([`-a/${A}.jsonl`, `-a/${A}/subagents/agent-a1.jsonl`])
  })

  it('are reported if they move the projects folder outside', () => {
    const outside = folder(`projects/-o/${A}.jsonl`)
    const root = join(folder(), 'inner')
    mkdirSync(root)
    symlinkSync(join(outside, 'projects'), join(root, 'projects'))
    const { files, notices } = transcripts(rootAt(root))
    expect(files.size).toBe(0)
    expect(notices[0]!.message).toContain('--claude-dir')
  })

  it('next to a transcript are not opened if they lead outside', () => {
    const outside = folder()
    writeFileSync(join(outside, 'secret.json'), '{"customTitle":"secret"}')
    const root = folder(`projects/-a/${A}.jsonl`, `projects/-a/${A}/x`)
    symlinkSync(join(outside, 'secret.json'), join(root, `projects/-a/${A}/custom-title.json`))
    const [artifact] = transcripts(rootAt(root)).files.values()
    expect(describeArtifact(artifact!).titleHint).toBeUndefined()
  })
})
