/**
 * Returns the value with every string in it changed, including field names and the contents of maps and sets.
 * Unchanged parts are not copied. Recursive, so only for our own values, which are shallow.
 */
export function mapStrings<Value>(value: Value, change: (text: string) => string): Value {
  return mapped(value, change) as Value
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (Array.isArray(value)) return mappedList(value, change)
  if (value instanceof Map) {
    const entries = [...value]
    const changed = mappedList(entries, change)
    return changed === entries ? value : new Map(changed as [unknown, unknown][])
  }
  if (value instanceof Set) {
    const members = [...value]
    const changed = mappedList(members, change)
    return changed === members ? value : new Set(changed)
  }
  return mappedObject(value, change)
}

function mappedList(list: unknown[], change: (text: string) => string): unknown[] {
  let changed: unknown[] | undefined
  for (const [at, member] of list.entries()) {
    const made = mapped(member, change)
    if (made === member) continue
    changed ??= [...list]
    changed[at] = made
  }
  return changed ?? list
}

function mappedObject(object: object, change: (text: string) => string): object {
  const entries: [string, unknown][] = []
  let same = true
  for (const [name, member] of Object.entries(object)) {
    const made: [string, unknown] = [change(name), mapped(member, change)]
    same &&= made[0] === name && made[1] === member
    entries.push(made)
  }
  if (same) return object
  const changed: Record<string, unknown> = {}
  for (const [name, member] of entries) {
    let own = name
    for (let number = 2; Object.hasOwn(changed, own); number++) own = `${name}~${number}`
    changed[own] = member
  }
  return changed
}
