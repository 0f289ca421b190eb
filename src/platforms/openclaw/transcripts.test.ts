import { appendFileSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readableItem } from '../../../test/claude-code-fixtures.ts'
import { fixture, fixtureRoot, readableDrafts, readFixture } from '../../../test/openclaw-fixtures.ts'
import { openclaw, put, temporaryHome } from '../../../test/records.ts'
import { bringUpToDate, indexOn } from '../../../test/store-audit.ts'
import { keep, storedContent } from '../../../test/stores.ts'
import type { Artifact } from '../../model/artifact.ts'
import { IN_MEMORY, openSqliteStore } from '../../store/sqlite/open.ts'
import { readSession } from '../../sync/read/read-session.ts'
import { discover } from './discover.ts'

describe('a transcript of OpenClaw', () => {
  it('loses the envelopes of early versions, but not brackets that people wrote', () => {
    expect(readFixture('envelopes-inline')).toMatchInlineSnapshot(`
      [
        "session",
        "human: Water the ferns at six, please",
        "agent: Noted: ferns at six.",
        "human (Jonas (@jonas)): which soil do you use?",
        "human (Jonas (+43660000)): then coconut?",
        "human: is the pump on?",
        "human: [urgent] the pump leaks",
        "human: [2026-02-03 10:07:11] pump: pressure 0.2 bar - what does this mean?",
        "human: [x] buy hose, [ ] buy clamp",
        "human: note to me: clamp 12 mm",
        "human: Exactly this one",
        "agent:",
      ]
    `)
  })

  it('loses metadata blocks, notices, quoted threads and system events', () => {
    expect(readFixture('metadata-blocks')).toMatchInlineSnapshot(`
      [
        "session",
        "human: how many seedlings survived?",
        "human: [image]",
        "human: go on, but slower",
        "human (Jonas): ask Lena about the tray",
        "human: hello, are you new here?",
        "human: and the second tray?",
        "human: count the trays again",
        "human: which fern do I like?",
        "human (queued): first thought",
        "human (queued): second thought / in two lines",
        "human: and now the summary, please",
        "skipped message:user",
      ]
    `)
  })

  it('loses the marked context of later versions, and respects their provenance', () => {
    expect(readFixture('context-marker')).toMatchInlineSnapshot(`
      [
        "session",
        "human: Repot the aloe",
        "human: and water it twice",
        "skipped custom_message:openclaw.runtime-context",
        "human: typed by somebody: [cron:x] is how jobs begin",
        "human: [cron:x] is typed",
        "program (inter-session): the aloe is repotted",
        "program (cron, kind=cron): check the aloe",
        "skipped message:user",
        "· reset: new",
        "program (session start): A new session was started.",
        "human: /compact",
        "leaf 51a0c3d1",
      ]
    `)
  })

  it('shows the words of voice messages, but not what a model saw in images', () => {
    expect(readFixture('media-understanding')).toMatchInlineSnapshot(`
      [
        "session",
        "human: listen to this / buy two bags of peat-free soil [audio]",
        "human: what is on them? [image] [image]",
        "human: [image]",
        "human: [audio]",
        "human: [file]",
        "human: summarize it [file]",
        "human: call the "pot" shop",
      ]
    `)
  })

  it('may use every spelling of roles, blocks, ids and usage', () => {
    expect(readFixture('spellings')).toMatchInlineSnapshot(`
      [
        "session",
        "agent: {hm} Looking. exec({"command":"ls"})",
        "agent: Reading. read({"path":"/a"})",
        "agent: grep({"pattern":"fern"}) find({"path":"."}) say("not json")",
        "agent: a plain string",
        "tool: ok",
        "tool: ok",
        "tool: sure error: no such pattern",
        "human: and a word from me",
        "human: see this [image]",
        "human: [image]",
        "agent: [hologram]",
        "skipped custom:model-snapshot",
        "skipped custom:openclaw.cache-ttl",
        "human: time in numbers",
        "title (custom): Ferns and shade",
        "skipped label",
        "· branch: tried moss",
        "skipped thinking_level_change",
        "· model-change: openai/gpt-6",
        "unknown brand_new_type",
        "unknown message:oracle",
        "human: ! df -h",
        "human: ! false",
        "tool: sure error: exit code 1",
      ]
    `)
  })

  it('distinguishes copies for a channel, failed replies, silence and thinking', () => {
    expect(readFixture('mirrors')).toMatchInlineSnapshot(`
      [
        "session",
        "human: tell me when the pump stops",
        "agent: The pump stopped.",
        "agent (mirror): The pump stopped.",
        "agent (mirror): Cron says: the pump runs again.",
        "agent (mirror): foreign export",
        "· agent-error: 529 overloaded",
        "· interruption: Request was aborted.",
        "agent: half a sent",
        "· interruption",
        "agent: {is it wet?} It is wet. MEDIA quality is fine. [file]",
        "agent:",
        "agent: All dry.",
        "agent: the tag \`<think>\` stays in code",
      ]
    `)
  })

  it('of the first version has no ids', () => {
    expect(readFixture('first-version')).toMatchInlineSnapshot(`
      [
        "session",
        "human: what grows in shade?",
        "agent: Ferns.",
        "· compaction: shade and ferns",
        "skipped custom_message:memory",
      ]
    `)
  })

  it('may lack its header', () => {
    expect(readFixture('header-missing')).toMatchInlineSnapshot(`
      [
        "human: no header above me",
        "agent: None needed.",
      ]
    `)
  })

  it('yields what a damaged file still contains', () => {
    expect(readFixture('damaged')).toMatchInlineSnapshot(`
      [
        "session",
        "human: glued to the next",
        "agent: I am glued on.",
        "agent: evaporated",
        "unknown message:(no role)",
        "human: a zero  inside",
        "unknown (array)",
        "unknown (string)",
        "unknown (null)",
      ]
    `)
  })

  it('shows which tools failed, and whether that is sure', () => {
    expect(readFixture('tool-errors')).toMatchInlineSnapshot(`
      [
        "session",
        "tool: sure error: (Command exited with code 3)",
        "tool: sure error: ENOENT: no such file, access '/x'",
        "tool: possible error: src/pump.ts(3,1): error TS1005: expected",
        "tool: ok",
        "tool: ok",
        "tool: sure error: timed out",
        "tool: possible error: blocked by policy",
        "tool: ok",
        "tool: sure error: Validation failed for tool "write"",
      ]
    `)
  })

  it('shows that a person stopped a reply, of which the gateway stores the words so far as a whole one', () => {
    expect(readSession(of('aborted-reply')).items.map(readableItem)).toMatchInlineSnapshot(`
      [
        "human: count the forks",
        "agent: One fork, two fo",
        "marker: · interruption",
        "human: and the spoons?",
        "agent: Nine spoons.",
      ]
    `)
  })

  it('contains no human message if only programs wrote', () => {
    const result = [...fixture('nobody-there').files.values()].map((artifact) =>
      readableDrafts(artifact).slice(1),
    )
    expect(result.flat().filter((line) => line.startsWith('human'))).toEqual([])
    expect(result).toMatchInlineSnapshot(`
      [
        [
          "program (cron, kind=cron): Check the soil and report anything dry.",
          "agent: Nothing is dry.",
        ],
        [
          "program (heartbeat, kind=heartbeat): Read HEARTBEAT.md if it exists (workspace context). Follow it strictly. Do not infer or repeat old tasks from prior chats. If nothing needs attention, reply HEARTBEAT_OK.",
          "agent:",
          "program (heartbeat, kind=heartbeat): [OpenClaw heartbeat poll]",
          "agent:",
        ],
        [
          "program (subagent task, kind=subagent): Count the trays.",
          "agent: Nine.",
        ],
        [
          "program (hook, kind=hook): Your order of 40 pots is on its way.",
          "agent: Pots are coming.",
        ],
        [
          "program (subagent task): a bare task from a key that says subagent",
          "agent: Done.",
        ],
        [
          "program (reminder, kind=heartbeat): turn the compost",
          "program (reminder, kind=heartbeat): turn the compost twice",
          "program (exec completion, kind=heartbeat): An async command you ran earlier has completed. The command completion details are: /  / Exec completed (calm-bay, code 0) :: ok /  / Treat this completion as an internal continuation, not a new user request.",
          "program (subagent result): Nine trays.",
          "program (subagent result): A cron job "compost" just completed successfully. / Turned.",
          "program (subagent result): A background task "trays" just completed successfully. / Nine.",
          "program (inter-session): Agent-to-agent announce step.",
          "program (memory flush): Pre-compaction memory flush. Store durable memories now.",
          "program (session start): A new session was started.",
          "program (retry): Continue where you left off. The previous model attempt failed or timed out.",
          "program (boot, kind=program): You are running a boot check. Follow BOOT.md instructions exactly.",
          "program (onboarding): Wake up, my friend!",
        ],
      ]
    `)
  })
})

const of = (name: string, index = 0): Artifact => [...fixture(name).files.values()][index]!
const read = (artifact: Artifact) => {
  const { items, session } = readSession(artifact)
  const { human, agentMessages, toolCalls, errors, usage } = session
  return {
    items: items.map(readableItem),
    counts: { human, agentMessages, toolCalls, errors, output: usage?.output },
  }
}
const memory = { open: () => openSqliteStore(IN_MEMORY, 0).store }
const storeOf = (name: string) =>
  indexOn(memory, {
    home: '/nowhere',
    variables: {},
    dirs: { openclaw: [fixtureRoot(name).path], 'claude-code': [] },
  })

const TWICE = [
  ['history-again', 0],
  ['history-again', 1],
  ['sibling-prompts', 0],
  ['replies-twice', 0],
] as const

describe('what OpenClaw stores twice', () => {
  it.each([0, 1])(
    'in a history that it writes again is shown once, with and without the ids of responses',
    (index) => {
      expect(read(of('history-again', index))).toEqual({
        items: [
          'human: warm the pot',
          'agent: I look.',
          'tool: exec false',
          'error: (exec false) no such cup',
          'agent: No cup there.',
          'human: then buy one',
          'agent: Bought.',
        ],
        counts: { human: 2, agentMessages: 3, toolCalls: 1, errors: 1, output: 20 },
      })
    },
  )

  it('is shown once if the same prompt has two siblings within a second, and twice if it was sent again', () => {
    const { items, counts } = read(of('sibling-prompts'))
    expect(items.filter((item) => item.includes('is the pot warm?'))).toHaveLength(2)
    expect(counts.human).toBe(3)
  })

  it('is shown once if a reply follows itself or has a sibling, and twice if it was given again', () => {
    expect(read(of('replies-twice'))).toMatchInlineSnapshot(`
      {
        "counts": {
          "agentMessages": 3,
          "errors": 0,
          "human": 3,
          "output": 26,
          "toolCalls": 0,
        },
        "items": [
          "human: is the pot warm?",
          "agent: It is warm.",
          "human: and the cups?",
          "agent: They too.",
          "human: say it again",
          "agent: They too.",
        ],
      }
    `)
  })

  it.each(TWICE)('is the same wherever the reading was interrupted: %s %i', (name, index) => {
    const artifact = of(name, index)
    const { store: whole } = openSqliteStore(IN_MEMORY, 0)
    keep(whole, artifact)
    const expected = storedContent(whole, artifact.path)
    for (const slice of [1, 300, 700, 1100]) {
      const { store } = openSqliteStore(IN_MEMORY, 0)
      keep(store, artifact, { slice })
      expect(storedContent(store, artifact.path)).toEqual(expected)
      store.close()
    }
    whole.close()
  })

  it('is not mixed up with records of other sessions, whose short ids may be equal', () => {
    const store = storeOf('short-ids')
    expect(store.statistics()).toMatchObject({ messages: 4, occurrences: 4 })
    const output = [...store.figures({ zone: [{ fromMs: 0, offsetMs: 0 }] })]
      .flatMap(({ usage }) => usage)
      .reduce((sum, each) => sum + each.output, 0)
    expect(output).toBe(17)
    store.close()
  })
})

describe('prompts of OpenClaw', () => {
  it('that repeat one after a failure are the program’s', () => {
    expect(read(of('retry-prompts')).items).toMatchInlineSnapshot(`
      [
        "human: pour the tea",
        "error: 503",
        "program (retry): pour the tea",
        "agent: Poured.",
        "program (retry): Continue where you left off. The previous model attempt failed or timed out.",
        "agent: Done.",
        "human: what does [Retry after the previous model attempt failed or timed out] mean?",
      ]
    `)
  })

  it('lose the id of the message in front of them, but not one that somebody wrote', () => {
    expect(read(of('message-id-line')).items).toMatchInlineSnapshot(`
      [
        "human: is the pot warm?",
        "agent: Yes.",
        "human: and the lid?",
        "agent: Yes.",
        "human: is [message_id: 7] your field?",
      ]
    `)
  })

  it('that are heartbeats behind system events decide the kind, unless a human writes as well', () => {
    const kinds = [0, 1].map((index) => {
      const { kind, human } = readSession(of('heartbeat-behind-system', index), { keep: 'counts' }).session
      return [kind, human]
    })
    expect(kinds).toEqual([
      ['heartbeat', 0],
      ['human', 1],
    ])
  })
})

describe('the session index of OpenClaw', () => {
  it('gives the label that a person chose as the title, but a channel’s name only if nobody wrote', () => {
    const titles = [0, 1, 2].map(
      (index) => readSession(of('labels', index), { keep: 'counts' }).session.title,
    )
    expect(titles).toEqual(['The tea things', 'Spoons by hand', 'count the forks'])
  })

  it('has given a label that remains the title after the index has dropped the session', () => {
    const home = temporaryHome()
    cpSync(fixtureRoot('labels').path, join(home, '.openclaw'), { recursive: true })
    const environment = {
      home: '/nowhere',
      variables: {},
      dirs: { openclaw: [join(home, '.openclaw')], 'claude-code': [] },
    }
    const { store } = openSqliteStore(IN_MEMORY, 0)
    bringUpToDate(store, environment)
    put(join(home, '.openclaw/agents/main/sessions/sessions.json'), '{}')
    const [first] = discover(
      { platform: 'openclaw', path: join(home, '.openclaw'), reason: 'test', found: true },
      { home, variables: {} },
    ).artifacts
    appendFileSync(first!.path, `${JSON.stringify(openclaw.user(9, 'and the lids'))}\n`)
    bringUpToDate(store, environment)
    const titles = store.sessions().map(({ session }) => session.title)
    expect(titles.sort()).toEqual(['Spoons by hand', 'The tea things', 'count the forks'])
    store.close()
  })

  it('names a session once if its file has another name', () => {
    const root = fixtureRoot('other-file-name')
    const { artifacts, named } = discover(root, { home: '/nowhere', variables: {} })
    expect(artifacts.map(({ sessionKey, titleHint }) => [sessionKey, titleHint])).toEqual([
      ['agent:main:main', 'Jars'],
    ])
    expect(named ?? []).toEqual([])
  })
})
