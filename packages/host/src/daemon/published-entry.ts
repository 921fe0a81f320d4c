// An entry on the feed, as the text that was recorded: nothing is parsed unless somebody reads it.

export class PublishedEntry {
  /** JSON; a reader outside gets it parsed. */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}
