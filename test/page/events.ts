import type { Page } from 'playwright-core'

/** Events come from the test instead of the server, through the same reader. */
export const STUB = `{
  const { fetch } = window
  window.fetch = async (address, init) => {
    if (address !== '/api/events') return fetch(address, init)
    const body = new ReadableStream({
      start(controller) {
        window.sendEvent = (name, data) =>
          controller.enqueue(new TextEncoder().encode('event: ' + name + '\\ndata: ' + data + '\\n\\n'))
        window.sendEvent('hello', '{"version":1}')
      },
    })
    return new Response(body)
  }
}`

/** Sends an event to a page with the stub. */
export const sendEvent = (page: Page, name: string, data: object): Promise<void> =>
  page.evaluate(`sendEvent('${name}', ${JSON.stringify(JSON.stringify(data))})`)
