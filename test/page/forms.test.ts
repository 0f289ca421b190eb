import { describe, expect, it } from 'vitest'
import { broken, needs, openWindow, soon, useBrowser, withoutBrowser } from './browser.ts'
import { GARDEN, servedGarden } from './garden-session.ts'

describe.skipIf(withoutBrowser)(`a form that the server refuses${needs}`, () => {
  useBrowser()

  it('stays as it was typed, and says what is valid', async () => {
    const { origin } = await servedGarden()
    const { page } = await openWindow(origin)
    await page.goto(`${origin}/session/${GARDEN}`)
    await page.getByRole('tab', { name: 'Details' }).click()
    const field = page.getByRole('textbox', { name: 'Tags' })
    await field.fill('two words')
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .getByText(/"two words" is not a valid tag\. Use one word of letters/)
      .waitFor()
    expect(await field.inputValue()).toBe('two words')
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await broken(page)).toEqual([])
    await field.fill('two-words')
    expect(await page.getByText(/is not a valid tag/).count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove the tag two-words' }).waitFor()
    await soon(() => field.inputValue()).toBe('')
    const name = page.getByRole('textbox', { name: 'Your name for it' })
    await name.click()
    await page.keyboard.insertText('n'.repeat(300))
    expect(await name.inputValue()).toBe('n'.repeat(200))
  })
})

describe.skipIf(withoutBrowser)(`a session or project that does not exist${needs}`, () => {
  useBrowser()

  it('has a heading of its own, which is the title, too', async () => {
    const { origin } = await servedGarden()
    const { page } = await openWindow(origin)
    await page.goto(`${origin}/session/0a1b2c3d-ffff`)
    await page.getByRole('heading', { level: 1, name: 'There is no such session' }).waitFor()
    await page.getByRole('link', { name: 'See all sessions' }).waitFor()
    await soon(() => page.title()).toBe('There is no such session · Scrollback')
    expect(await page.getByText('Loading the session').count()).toBe(0)
    // Nothing can be done there.
    expect(await page.locator('.session-actions, .panel').count()).toBe(0)
    expect(await broken(page)).toEqual([])
    await page.goto(`${origin}/project/nowhere`)
    await page.getByRole('heading', { level: 1, name: 'There is no such project' }).waitFor()
    await page.getByRole('link', { name: 'all projects' }).waitFor()
    expect(await page.getByText(/could not be loaded|Evidence/).count()).toBe(0)
    expect(await broken(page)).toEqual([])
  })
})
