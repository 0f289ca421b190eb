const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

export const count = (value: number): string => whole.format(value)

/** A number in few characters: `1.4M`. */
export const brief = (value: number): string =>
  Math.abs(value) < 10_000 ? count(value) : short.format(value)

export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`

export function dollars(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  if (value !== 0 && Math.abs(value) < 0.01) return '< $0.01'
  return `$${value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
}

export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let rest = value
  let unit = 0
  while (rest >= 1000 && unit < units.length - 1) {
    rest /= 1000
    unit++
  }
  return `${rest < 10 && unit > 0 ? rest.toFixed(1) : Math.round(rest)} ${units[unit]}`
}

export const percent = (value: number): string => `${Math.round(value * 100)} %`
