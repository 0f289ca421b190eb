import { Code } from '../parts/code.tsx'

/** The words of a person as typed. Only fenced code is set apart. */
export function Plain({ text }: { text: string }) {
  const parts = text.split(/^```([\w-]*)[^\n]*\n([\s\S]*?)^```[ \t]*$/m)
  if (parts.length === 1)
    return (
      <p class="plain" dir="auto">
        {text}
      </p>
    )
  return (
    <>
      {parts.map((part, index) => {
        if (index % 3 === 1) return null
        if (index % 3 === 2) return <Code key={index} text={part.trimEnd()} language={parts[index - 1]} />
        const words = part.trim()
        return (
          words && (
            <p class="plain" dir="auto" key={index}>
              {words}
            </p>
          )
        )
      })}
    </>
  )
}
