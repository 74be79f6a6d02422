import pc from 'picocolors'

/** Functions that colour text; where there are to be no colours, they return it as it is. */
export type Colors = ReturnType<typeof pc.createColors>

/** Colours for a stream: none unless it is a terminal that shows them and nobody set `NO_COLOR`. */
export function colorsFor(stream: NodeJS.WriteStream): Colors {
  return pc.createColors(
    stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
  )
}
