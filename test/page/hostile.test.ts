import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GlobalFlags } from '../../src/commands/kit/global-flags.ts'
import { call, claude, putClaude, temporaryHome, text, uuid } from '../records.ts'
import { expectNoTrouble, needs, openPage, served, useBrowser, withoutBrowser } from './browser.ts'

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

const LINE = EVIL.replaceAll('\n', ' ')

/** A home in which every field of every record tries to run something. */
function hostileHome(): string {
  const home = temporaryHome()
  const evilName = '/home/ann/<img src=x onerror=alert(1)>/"><script>.js'
  const more = { cwd: '/home/ann/<script>alert(1)</script>', gitBranch: LINE.slice(0, 200) }
  putClaude(
    home,
    uuid(0),
    [
      { type: 'summary', summary: LINE, leafUuid: uuid(4) },
      { type: 'custom-title', customTitle: LINE.slice(0, 300), sessionId: uuid(0) },
      claude.user(1, EVIL, more),
      claude.reply(2, [text(EVIL), { type: 'thinking', thinking: EVIL, signature: '' }], more),
      claude.reply(
        3,
        [call('toolu_1', `Evil<img src=x onerror=alert(1)>`, { [LINE]: EVIL, file_path: evilName })],
        more,
      ),
      claude.user(4, '', {
        ...more,
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, content: EVIL }],
        },
      }),
      claude.reply(
        5,
        [call('toolu_2', 'Edit', { file_path: evilName, old_string: EVIL, new_string: `${EVIL}\nmore` })],
        more,
      ),
      claude.reply(6, [text(`Done.\n\n${EVIL}`)], more),
    ],
    '-home-ann-evil',
  )
  return home
}

const PAGES = [
  '/',
  '/sessions',
  '/sessions?group=project',
  '/search?q=script',
  '/projects',
  '/stats?by=session',
  '/memory',
  '/secrets',
  '/doctor',
]

/** Scrolls to a part of the list and opens all that is folded there. */
const openEverything = `(part) => {
  const list = document.querySelector('.conversation-list')
  list.scrollTop = part * list.scrollHeight
  const folded = '.run-line[aria-expanded="false"], .message-tools [aria-expanded="false"]'
  for (let round = 0; round < 3; round++) for (const button of document.querySelectorAll(folded)) button.click()
}`

describe.skipIf(withoutBrowser)(`a hostile store${needs}`, () => {
  useBrowser()

  it('executes nothing and requests nothing', async () => {
    const home = hostileHome()
    const flags = { claudeDir: [join(home, '.claude')] } as GlobalFlags
    const { origin } = await served(flags, { data: join(home, 'data') })
    const opened = await openPage(origin)
    const { page } = opened
    for (const path of PAGES) {
      await page.goto(origin + path)
      await page.locator('main h1').first().waitFor()
      await page.waitForLoadState('networkidle').catch(() => {})
    }
    await page.goto(`${origin}/session/${uuid(0)}`)
    await page.getByText('Done.').first().waitFor()
    // Everything that is folded is opened: records, thinking, calls, the changes and the details.
    for (const part of [0, 0.5, 1, 0.5, 0]) {
      await page.evaluate(`(${openEverything})(${part})`)
      await page.locator('.record').first().waitFor()
    }
    await page.locator('.record .code, .record .diff').first().waitFor()
    for (const name of ['Changes', 'Details', 'Outline']) await page.getByRole('tab', { name }).click()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('script')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Escape')

    expect(await page.evaluate('window.executed ?? ""')).toBe('')
    const planted =
      'main :is(script, iframe, object, embed, form:not([class]), style, link, img:not([src^="blob:"]))'
    expect(await page.locator(planted).count()).toBe(0)
    expect(await page.locator('main a[href^="javascript:" i], main a[href^="data:" i]').count()).toBe(0)
    const handlers = await page.evaluate(
      `[...document.querySelectorAll('body *')].flatMap((each) => each.getAttributeNames()).filter((name) => name.startsWith('on'))`,
    )
    expect(handlers).toEqual([])
    const shown = await page.locator('main').innerText()
    expect(shown).toContain('<script>')
    expect(shown).not.toMatch(/[\u001b\u202e\u2066\u200b]/)
    expectNoTrouble(opened)
  }, 180_000)
})
