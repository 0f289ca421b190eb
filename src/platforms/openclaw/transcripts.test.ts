import { describe, expect, it } from 'vitest'
import { fixture, readableDrafts, readFixture } from '../../../test/openclaw-fixtures.ts'

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
