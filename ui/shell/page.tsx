import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

interface PageProperties {
  title: string
  /** Next to the title. */
  tells?: ComponentChildren
  actions?: ComponentChildren
  /** Fills the window and scrolls inside, as lists do. */
  fixed?: boolean
  class?: string
  children: ComponentChildren
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Scrollback' : `${title} · Scrollback`
  }, [title])
}

/** The frame of a page: its title, actions and content. */
export function Page({ title, tells, actions, fixed, class: name, children }: PageProperties) {
  useTitle(title)
  return (
    <main class={`page ${fixed ? 'page-fixed' : ''} ${name ?? ''}`} id="content" tabIndex={-1}>
      <div class="page-inner">
        <div class="page-head">
          <div class="page-title">
            <h1 dir="auto">{title}</h1>
            {tells && <p class="page-tells">{tells}</p>}
          </div>
          {actions && <div class="page-actions">{actions}</div>}
        </div>
        {children}
      </div>
    </main>
  )
}

/** A titled part of a page. */
export function Section({
  title,
  more,
  class: name,
  children,
}: {
  title: string
  more?: ComponentChildren
  class?: string
  children: ComponentChildren
}) {
  return (
    <section class={`section ${name ?? ''}`}>
      <div class="section-head">
        <h2>{title}</h2>
        {more && <div class="section-more">{more}</div>}
      </div>
      {children}
    </section>
  )
}
