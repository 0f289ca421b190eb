/** Whether an address names this machine itself. */
export const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** Whether a token that is sent there can be read on its way. */
export const exposesToken = (address: string): boolean => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url?.protocol === 'http:' && !isLoopback(url)
}
