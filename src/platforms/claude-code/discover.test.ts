import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  fixture,
  fixtureRoot,
  humanWords,
  readableItems,
  readFixture,
  rootAt,
  sessionOf,
  transcripts,
} from '../../../test/claude-code-fixtures.ts'
import { claude, putClaude, temporaryHome, uuid } from '../../../test/records.ts'
import { opened } from '../../io/source.ts'
import { readSession } from '../../sync/read/read-session.ts'
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

  it('are reported with a command or an option that reads their target', () => {
    const outside = folder(`projects/-o/${A}.jsonl`, `projects/-o/${A}/subagents/agent-a1.jsonl`)
    const root = folder(`projects/-a/b.jsonl`)
    const told = (target: string, path: string) => {
      symlinkSync(join(outside, target), join(root, path))
      const [notice] = transcripts(rootAt(root)).notices
      rmSync(join(root, path))
      return notice!.message.replaceAll(outside, '<outside>')
    }
    const elsewhere = 'is a link that leads elsewhere and was not followed; '
    expect([
      told('projects/-o', 'projects/-out'),
      told(`projects/-o/${A}.jsonl`, `projects/-a/${A}.jsonl`),
      told(`projects/-o/${A}`, `projects/-a/${A}`),
      told('nowhere', 'projects/-out'),
    ]).toEqual([
      `${elsewhere}to read what is there: --claude-dir <outside>/projects`,
      `${elsewhere}to read what is there: scrollback read <outside>/projects/-o/${A}.jsonl`,
      `${elsewhere}make it a directory`,
      'is a link that leads nowhere',
    ])
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

const MAIN = 'ea570000-0000-4000-8000-000000000001'

/** Kind, links and human messages of each transcript of a fixture. */
const joins = (name: string) =>
  fixture(name).map((artifact) => {
    const { id, kind, parentSessionId, parentCallId, fork, subagent, human } = readSession(artifact, {
      keep: 'counts',
    }).session
    return { id, kind, human, parentSessionId, parentCallId, fork, subagent }
  })

describe('subagents', () => {
  it('are in the main transcript in early versions, and their prompts are not human', () => {
    expect(readFixture('sidechain-inline')).toMatchInlineSnapshot(`
      [
        "human: count spoons, ask somebody",
        "tool: Task counter: Count",
        "program (parent agent): Count the spoons.",
        "agent (subagent): Counting.",
        "tool (subagent): Bash ls spoons",
        "error: (Bash ls spoons) no such drawer",
        "agent (subagent): Eleven.",
        "agent: Eleven spoons.",
      ]
    `)
  })

  it('have flat files next to the main one in other versions, even if they only warm up', () => {
    expect(joins('flat-agents')).toMatchInlineSnapshot(`
      [
        {
          "fork": undefined,
          "human": 0,
          "id": "agent-0a1b2c3d",
          "kind": "subagent",
          "parentCallId": undefined,
          "parentSessionId": "ea570000-0000-4000-8000-000000000001",
          "subagent": undefined,
        },
        {
          "fork": undefined,
          "human": 0,
          "id": "agent-d6c25b8b",
          "kind": "subagent",
          "parentCallId": undefined,
          "parentSessionId": "ea570000-0000-4000-8000-000000000001",
          "subagent": undefined,
        },
        {
          "fork": undefined,
          "human": 1,
          "id": "ea570000-0000-4000-8000-000000000001",
          "kind": "human",
          "parentCallId": undefined,
          "parentSessionId": undefined,
          "subagent": undefined,
        },
      ]
    `)
  })

  it('have their own files below the session in later versions, linked to the call that started them', () => {
    expect(joins('nested-agents')).toMatchInlineSnapshot(`
      [
        {
          "fork": undefined,
          "human": 1,
          "id": "ea570000-0000-4000-8000-000000000001",
          "kind": "human",
          "parentCallId": undefined,
          "parentSessionId": undefined,
          "subagent": undefined,
        },
        {
          "fork": undefined,
          "human": 0,
          "id": "agent-a20ef48",
          "kind": "subagent",
          "parentCallId": "toolu_n1",
          "parentSessionId": "ea570000-0000-4000-8000-000000000001",
          "subagent": {
            "description": "Count plates",
            "type": "counter",
          },
        },
        {
          "fork": undefined,
          "human": 0,
          "id": "agent-a3530e884e16702d1",
          "kind": "subagent",
          "parentCallId": undefined,
          "parentSessionId": "ea570000-0000-4000-8000-000000000001",
          "subagent": undefined,
        },
      ]
    `)
    expect(readableItems(fixture('nested-agents')[1]!)).toMatchInlineSnapshot(`
      [
        "program (parent agent): Count plates.",
        "agent (subagent): Six.",
        "tool: Bash ls plates",
        "error: (Bash ls plates) Exit code 2: ls: plates: no such file",
      ]
    `)
  })

  it('repeat the directive that the human typed in their parent, or obey the agent whose call they answer', () => {
    expect(joins('forked-subagent').map(({ human }) => human)).toEqual([1, 0, 0])
    expect(humanWords('forked-subagent')).toEqual(['/subtask polish the spoons'])
    expect(readFixture('forked-subagent', 1)[0]).toBe('program (directive): polish the spoons')
    expect(readFixture('forked-subagent', 2)[0]).toBe('program (parent agent): polish the forks')
  })
})

describe('the forks of Claude Code', () => {
  it('end with a side question of the human, after copied messages', () => {
    expect(readFixture('side-question', 1)).toMatchInlineSnapshot(`
      [
        "program (copied): paint the cups",
        "agent: Painting.",
        "human: which blue was it?",
        "agent: Cobalt.",
      ]
    `)
    expect(joins('side-question')[1]).toMatchObject({
      kind: 'subagent',
      fork: 'side_question',
      parentSessionId: MAIN,
    })
  })

  it('contain no human message if they only summarize', () => {
    expect(readFixture('compaction-fork', 1)).toMatchInlineSnapshot(`
      [
        "program (parent agent): fold napkins",
        "agent: Folded.",
        "program (parent agent): Your task is to create a detailed summary of the conversation so far",
        "agent: <summary>Napkins.</summary>",
      ]
    `)
    expect(joins('compaction-fork')[1]).toMatchObject({ human: 0, fork: 'compact' })
  })

  it('name the session that a background session was forked from, as its job records it', () => {
    const rows = [0, 1].map((index) => sessionOf('background-fork', index))
    expect(rows.map(({ id, parentSessionId }) => [id.slice(0, 8), parentSessionId])).toEqual([
      ['ea570041', undefined],
      ['ea570042', 'ea570041-0000-4000-8000-000000000041'],
    ])
  })

  it('repeat what the human typed after the command that forked a background session', () => {
    expect(humanWords('background-fork')).toEqual(['warm the pot', '/fork paint the door'])
    expect(readFixture('background-fork', 1)).toEqual([
      'human: warm the pot',
      'agent: Warm.',
      'program (directive): paint the door',
      'agent: Painted.',
      'human: and the frame',
    ])
  })

  it('start with the call of their parent, which is counted only there', () => {
    const rows = [0, 1, 2, 3].map((index) => sessionOf('workflow-and-fork', index))
    const fork = rows.find(({ subagent }) => subagent?.type === 'fork')!
    expect(rows.map(({ toolCalls }) => toolCalls).sort()).toEqual([0, 0, 1, 1])
    expect(fork.toolCalls).toBe(1)
    const parsed = readSession(fixture('workflow-and-fork').find(({ path }) => path === fork.path)!)
    expect(parsed.session.toolCalls).toBe(1)
    expect(parsed.items.flatMap(({ tool, who }) => (who === 'tool' ? [tool?.name] : []))).toEqual(['Read'])
  })

  it('have the words of their task without those that the client puts before what a script computed', () => {
    const home = temporaryHome()
    const frame = '[Workflow harness — computed task] The task text follows. It was not typed:\n'
    const agent = { isSidechain: true, agentId: 'a1' }
    putClaude(home, `${uuid(1)}/subagents/workflows/wf_1/agent-a1`, [
      claude.user(1, `${frame}  Taste the tea.\n    Twice.\n  ${frame}`, agent),
    ])
    putClaude(home, uuid(2), [claude.user(2, `${frame}  Taste the tea.`)])
    const [one, other] = transcripts(rootAt(`${home}/.claude`))
      .files.values()
      .map((each) => readSession(each).session)
      .toArray()
    expect(one!.firstProgram).toBe(`Taste the tea.\n  Twice.\n${frame.trim()}`)
    expect(other!.firstHuman).toContain(frame)
  })

  it('have the title of their workflow step, or their prompt if its record is gone', () => {
    const titles = [0, 1, 2, 3].map((index) => sessionOf('workflow-and-fork', index).title)
    expect(titles).toContain('taste: green')
    expect(titles).toContain('Taste the black tea.')
  })
})
