import { asArray, asObject, type JsonObject } from '../model/json.ts'

/** Settings with another hook. Without `text`, nothing has to be changed. */
type Changed = { text?: string } | { problem: string }

/** Seconds that the client waits. An answer takes less than one. */
const PATIENCE = 10
/** How our commands end. They may be started in another way since. */
const OURS = /(?:^|[\s/\\'"])scrollback(?:\.js)?['"]? recall$/

/**
 * The settings of Claude Code with one hook of ours for an event, which runs a command; without a command,
 * with none. Everything else stays, and so do hooks of others.
 *
 * @example
 * changeHooks(undefined, 'UserPromptSubmit', 'scrollback recall') // => { text: '{\n  "hooks": …' }
 */
export function changeHooks(
  settings: string | undefined,
  event: string,
  command: string | undefined,
): Changed {
  const parsed = parse(settings)
  if (!parsed) return { problem: 'is no JSON object; nothing was changed' }
  const hooks = asObject(parsed.hooks ?? {})
  const groups = asArray(hooks?.[event] ?? [])
  if (!hooks || !groups) return { problem: 'has hooks of an unknown form; nothing was changed' }
  const others = groups.map(withoutOurs).filter((group) => group !== undefined)
  const own = command === undefined ? [] : [{ hooks: [{ type: 'command', command, timeout: PATIENCE }] }]
  const { [event]: _, ...otherEvents } = hooks
  const wanted = [...others, ...own]
  const newHooks = { ...otherEvents, ...(wanted.length > 0 && { [event]: wanted }) }
  const { hooks: __, ...rest } = parsed
  const changed = { ...rest, ...(Object.keys(newHooks).length > 0 && { hooks: newHooks }) }
  return JSON.stringify(changed) === JSON.stringify(parsed)
    ? {}
    : { text: `${JSON.stringify(changed, null, 2)}\n` }
}

function parse(settings: string | undefined): JsonObject | undefined {
  if (settings === undefined || settings.trim() === '') return {}
  try {
    return asObject(JSON.parse(settings))
  } catch {
    return undefined
  }
}

/** A group of hooks without ours. Undefined if none is left. */
function withoutOurs(group: unknown): unknown {
  const all = asArray(asObject(group)?.hooks)
  if (!all) return group
  const left = all.filter((hook) => !OURS.test(String(asObject(hook)?.command ?? '')))
  if (left.length === all.length) return group
  return left.length > 0 ? { ...asObject(group), hooks: left } : undefined
}
