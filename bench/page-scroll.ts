import type { Browser, CDPSession, Page } from 'playwright-core'
import { pause } from './page-server.ts'
import type { Report } from './report.ts'

const FRAME_MS = 1000 / 60
/** What a hand does with a wheel: notches of 120 pixels, so many in a second. */
const NOTCH = 120
const NOTCHES_A_SECOND = 20
const WHEEL_MS = 8000

interface Frames {
  drawn: number
  /** Frames of a sixtieth of a second in which nothing was drawn. */
  dropped: number
  longestMs: number
  /** Frames in whose middle no text was. */
  blank: number
}

/** Scrolls a list from its end to its beginning within so many frames. */
const scrollThrough = (page: Page, selector: string, frames: number): Promise<Frames> =>
  page.evaluate(
    `new Promise((resolve) => {
      const list = document.querySelector(${JSON.stringify(selector)})
      const step = 900
      const seen = { drawn: 0, dropped: 0, longestMs: 0, blank: 0 }
      let last = performance.now()
      const isBlank = () => !document.elementFromPoint(620, 500)?.closest('.row, pre, #empty')
      const next = (now) => {
        if (seen.drawn > 0 && isBlank()) seen.blank++
        const took = now - last
        last = now
        if (seen.drawn > 0) {
          seen.dropped += Math.max(0, Math.round(took / ${FRAME_MS}) - 1)
          seen.longestMs = Math.max(seen.longestMs, took)
        }
        if (++seen.drawn > ${frames}) return resolve(seen)
        list.scrollTop -= Math.max(step, list.scrollTop / (${frames} - seen.drawn + 1))
        requestAnimationFrame(next)
      }
      requestAnimationFrame(next)
    })`,
  )

/** Turns the wheel over a list for some seconds, up from its end. */
async function wheelThrough(page: Page, selector: string): Promise<Frames> {
  await page.evaluate(`document.querySelector(${JSON.stringify(selector)}).scrollTop = 1e9`)
  await pause(1500)
  const { x, y, width, height } = (await page.locator(selector).boundingBox())!
  const seen: Promise<Frames> = page.evaluate(
    `new Promise((resolve) => {
      const seen = { drawn: 0, dropped: 0, longestMs: 0, blank: 0 }
      let last = 0
      const began = performance.now()
      const isBlank = () => !document.elementFromPoint(620, 500)?.closest('.row')
      const next = (now) => {
        if (isBlank()) seen.blank++
        if (last > 0) {
          seen.drawn++
          seen.dropped += Math.max(0, Math.round((now - last) / ${FRAME_MS}) - 1)
          seen.longestMs = Math.max(seen.longestMs, now - last)
        }
        last = now
        if (now - began > ${WHEEL_MS}) resolve(seen)
        else requestAnimationFrame(next)
      }
      requestAnimationFrame(next)
    })`,
  )
  const session: CDPSession = await page.context().newCDPSession(page)
  const ended = Date.now() + WHEEL_MS
  while (Date.now() < ended) {
    const at = { x: x + width / 2, y: y + height / 2 }
    await session.send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...at, deltaX: 0, deltaY: -NOTCH })
    await pause(1000 / NOTCHES_A_SECOND)
  }
  await session.detach()
  return seen
}

/** Pages without a program: nothing, and plain text that is as high as the spacer of a long session. */
const BASELINES = {
  'an empty page': `list.firstElementChild.style.height = '8000000px'`,
  'a page of plain text': `
    const words = 'the moss grows on the north side of trees where it is damp and shady in summer'.split(' ')
    let seed = 1
    const next = () => words[(seed = (seed * 1103515245 + 12345) & 0x7fffffff) % words.length]
    for (let block = 0; block < 300; block++) {
      const text = document.createElement('pre')
      text.textContent = Array.from({ length: 1000 }, () => Array.from({ length: 16 }, next).join(' ')).join(String.fromCharCode(10))
      list.append(text)
    }`,
}

async function scrollBaseline(browser: Browser, fill: string, frames: number): Promise<Costs> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(300_000)
  await page.setContent(`<!doctype html><style>body{margin:0;font:15px/26px sans-serif}
    pre{width:46rem;margin:0 auto;overflow:hidden}#list{height:100vh;overflow:auto}</style><div id="list"><div id="empty"></div></div>`)
  await page.evaluate(
    `(() => { const list = document.querySelector('#list'); ${fill}; list.scrollTop = 1e9 })()`,
  )
  await pause(3000)
  try {
    return await costsOf(browser, () => scrollThrough(page, '#list', frames))
  } finally {
    await page.close()
  }
}

/** What scrolling took, and the processor time of all processes of the browser for one frame, in ms. */
interface Costs extends Frames {
  processorMs: number
}

async function costsOf(browser: Browser, scroll: () => Promise<Frames>): Promise<Costs> {
  const session = await browser.newBrowserCDPSession()
  const seconds = async (): Promise<number> =>
    (await session.send('SystemInfo.getProcessInfo')).processInfo.reduce(
      (sum, { cpuTime }) => sum + cpuTime,
      0,
    )
  const before = await seconds()
  const frames = await scroll()
  const processorMs = ((await seconds()) - before) * 1000
  await session.detach()
  return { ...frames, processorMs: processorMs / frames.drawn }
}

const share = ({ drawn, dropped }: Frames): number => (100 * dropped) / (drawn + dropped)

const words = ({ drawn, dropped, longestMs, blank, processorMs }: Costs): string =>
  `${dropped} of ${drawn + dropped}, ${blank} blank, the longest ${longestMs.toFixed(0)} ms; ${processorMs.toFixed(1)} ms of processor time a frame`

/**
 * Scrolls the open session and, in the same run, pages that do nothing. All are painted without a graphics
 * card.
 */
export async function measureScrolling(
  report: Report,
  { page, browser, list, frames }: { page: Page; browser: Browser; list: string; frames: number },
): Promise<void> {
  const ours = await costsOf(browser, () => scrollThrough(page, list, frames))
  report.add(
    'frames dropped while scrolling all of it from end to end',
    share(ours),
    { most: 1, unit: '%' },
    words(ours),
  )
  const wheel = await costsOf(browser, () => wheelThrough(page, list))
  report.add(
    `frames dropped while turning the wheel, ${NOTCHES_A_SECOND * NOTCH} pixels a second`,
    share(wheel),
    { most: 1, unit: '%' },
    words(wheel),
  )
  for (const [name, fill] of Object.entries(BASELINES)) {
    const theirs = await scrollBaseline(browser, fill, frames)
    report.add(`the same end to end on ${name}`, share(theirs), { unit: '%' }, words(theirs))
  }
}
