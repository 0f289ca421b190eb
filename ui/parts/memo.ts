import { Component, type ComponentChildren, type FunctionComponent, h } from 'preact'

/** Draws a component again only if its properties differ. */
export function memo<Properties extends object>(
  draw: (properties: Properties) => ComponentChildren,
  isSame: (before: Properties, after: Properties) => boolean,
): FunctionComponent<Properties> {
  const Drawn = draw as FunctionComponent<Properties>
  class Memo extends Component<Properties> {
    override shouldComponentUpdate(after: Properties): boolean {
      return !isSame(this.props as Properties, after)
    }

    override render(properties: Properties): ComponentChildren {
      return h(Drawn, properties)
    }
  }
  return Memo as unknown as FunctionComponent<Properties>
}
