import { join } from 'node:path'
import type { GlobalFlags } from '../../src/context/flags.ts'
import { call, claude, openclaw, put, putClaude, putOpenclaw, temporaryHome, text, uuid } from '../records.ts'

const ran = (name: string): string => `window.executed=(window.executed||'')+'${name} '`

/** Everything that makes a careless page run a script or send a request. */
const EVIL = [
  `<script>${ran('script')}</script>`,
  `<img src=x onerror="${ran('image')}">`,
  `<svg onload="${ran('svg')}"><script>${ran('svg-script')}</script></svg>`,
  `<iframe srcdoc="<script>${ran('frame')}</script>" src="http://evil.example/frame"></iframe>`,
  '<link rel=stylesheet href="http://evil.example/style.css"><style>@import "http://evil.example/s.css"; *{display:none}</style>',
  `<details open ontoggle="${ran('toggle')}"><form action="http://evil.example/form"><button>Send</button></form>`,
  '![picture](http://evil.example/picture.png) ![data](data:image/svg+xml;base64,PHN2Zy8+)',
  `[click](javascript:${ran('link')}) [data](data:text/html,<script>${ran('data')}</script>) [go](//evil.example/x)`,
  `<javascript:${ran('auto')}> [ref]`,
  `[ref]: javascript:${ran('reference')}`,
  `\`\`\`html\n</code></pre><script>${ran('code')}</script>\n\`\`\``,
  `"><script>${ran('attribute')}</script>' onmouseover='${ran('mouse')}`,
  '\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007 \u001b[31mred\u001b[0m',
  'shown \u202egnp.exe\u202c end \u2066hidden\u2069 \u200b',
  '| <b>a</b> | [x](javascript:alert(1)) |\n|---|---|\n| <img src=x onerror=alert(1)> | ![](http://evil.example/cell.png) |',
].join('\n\n')

/** The same without line breaks, for names. */
export const LINE = EVIL.replaceAll('\n', ' ')
/** Short enough for a name that is cut. */
const NAME = `<img src=x onerror="${ran('name')}">`

export const AGENT = 'agent-a0e11e0'
export const SESSION = uuid(0)
export const JOB = 'c0000000-0000-4000-8000-00000000000c'

const image = (content: string, media_type: string) => ({
  type: 'image',
  source: { type: 'base64', media_type, data: Buffer.from(content).toString('base64') },
})

/** A home in which every field of every record and document tries to run something. */
export function hostileHome(): { flags: GlobalFlags; data: string } {
  const home = temporaryHome()
  putSession(home)
  putSubagent(home)
  put(join(home, '.claude/projects/-home-ann-evil/memory/MEMORY.md'), `# ${LINE}\n\n${EVIL}\n`)
  put(join(home, '.claude/history.jsonl'), [
    { display: EVIL, pastedContents: {}, timestamp: 1793613601000, project: `/home/ann/${NAME}` },
  ])
  putJobs(join(home, '.openclaw'))
  put(join(home, '.openclaw/workspace/MEMORY.md'), EVIL)
  putOpenclaw(home, 'evil.jsonl', [
    openclaw.header('evil', `/home/ann/${NAME}`),
    openclaw.user(1, EVIL),
    openclaw.message(2, {
      ...{ role: 'assistant', stopReason: 'error', errorMessage: EVIL, model: LINE, provider: NAME },
      content: [text(EVIL), { type: 'thinking', thinking: EVIL }],
    }),
  ])
  const flags = { claudeDir: [join(home, '.claude')], openclawDir: [join(home, '.openclaw')] }
  return { flags: flags as GlobalFlags, data: join(home, 'data') }
}

function putSession(home: string): void {
  const file = `/home/ann/${NAME}/"><script>.js`
  const more = { cwd: '/home/ann/<script>alert(1)</script>', gitBranch: LINE.slice(0, 200) }
  const pictures = [
    image(`<svg xmlns="http://www.w3.org/2000/svg" onload="${ran('svg-file')}"/>`, 'image/svg+xml'),
    image(`<script>${ran('html-file')}</script>`, 'text/html'),
    image(`<script>${ran('png-file')}</script>`, 'image/png'),
  ]
  putClaude(
    home,
    SESSION,
    [
      { type: 'summary', summary: LINE, leafUuid: uuid(4) },
      { type: 'custom-title', customTitle: LINE.slice(0, 300), sessionId: SESSION },
      claude.user(1, EVIL, { ...more, message: { role: 'user', content: [text(EVIL), ...pictures] } }),
      claude.reply(2, [text(EVIL), { type: 'thinking', thinking: EVIL, signature: '' }], more),
      claude.reply(3, [call('toolu_1', `Evil${NAME}`, { [LINE]: EVIL, file_path: file })], more),
      claude.user(4, '', {
        ...more,
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, content: EVIL }],
        },
      }),
      claude.reply(
        5,
        [call('toolu_2', 'Edit', { file_path: file, old_string: EVIL, new_string: `${EVIL}\nmore` })],
        more,
      ),
      claude.reply(6, [call('toolu_3', 'Task', { subagent_type: NAME, description: LINE })], more),
      claude.result(7, 'toolu_3', EVIL),
      claude.reply(8, [text(`Done.\n\n${EVIL}`)], {
        ...more,
        message: { ...claude.reply(8, [text(`Done.\n\n${EVIL}`)]).message, model: NAME },
      }),
    ],
    '-home-ann-evil',
  )
}

function putSubagent(home: string): void {
  const folder = join(home, '.claude/projects/-home-ann-evil', SESSION, 'subagents')
  const meta = { agentType: NAME, description: LINE, toolUseId: 'toolu_3', spawnDepth: 1 }
  put(join(folder, `${AGENT}.meta.json`), JSON.stringify(meta))
  const own = { isSidechain: true, agentId: AGENT.slice('agent-'.length) }
  put(join(folder, `${AGENT}.jsonl`), [
    claude.user(31, EVIL, own),
    claude.reply(32, [text(`Counted.\n\n${EVIL}`)], own),
  ])
}

function putJobs(state: string): void {
  const job = {
    ...{ id: JOB, name: LINE, agentId: 'main', schedule: { kind: 'cron', expr: '0 9 * * *', tz: NAME } },
    payload: { kind: 'agentTurn', message: EVIL },
    delivery: { mode: 'announce', channel: NAME, to: LINE },
    state: { lastRunAtMs: 1793613601000, lastStatus: 'error', lastError: EVIL },
  }
  put(join(state, 'cron/jobs.json'), JSON.stringify({ version: 1, jobs: [job] }))
  put(join(state, `cron/runs/${JOB}.jsonl`), [
    {
      ...{ ts: 1793613601000, jobId: JOB, action: 'finished', status: 'error', error: EVIL, summary: EVIL },
      model: NAME,
    },
  ])
}
