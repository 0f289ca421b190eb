/** The share of repeated work that is done, such as kills, cuts and random histories. All of it by default. */
export const share = Number(process.env.SCROLLBACK_TEST_SHARE ?? 1)

/** That share of a count. */
export const shareOf = (count: number): number => Math.max(1, Math.round(count * share))
