import { parentPort, workerData } from 'node:worker_threads'

const LENGTH = 200_000
const USUAL = ['a', '0', '😀']

/** To make one takes longer than most patterns take over it. */
const texts = new Map<string, string>()
const textOf = (unit: string): string => {
  const text = texts.get(unit) ?? unit.repeat(LENGTH / unit.length)
  texts.set(unit, text)
  return text
}

/** Says which pattern it runs over which text, before it does. */
for (const [index, { source, flags }] of (workerData as { source: string; flags: string }[]).entries()) {
  const pattern = new RegExp(source, /[gy]/.test(flags) ? flags : `${flags}g`)
  const own = source.replace(/\\[dwsDWSbBnpP]|\\x..|\\u[\da-f]{4}/g, '').replace(/\\(.)/g, '$1')
  const units = new Set([...USUAL, ' ', '\n', '\\', ...own])
  for (const unit of units) {
    parentPort!.postMessage({ index, unit })
    textOf(unit).replace(pattern, '')
  }
}
parentPort!.postMessage({ done: true })
