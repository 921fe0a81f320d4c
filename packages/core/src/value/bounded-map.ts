/** A map that forgets its oldest entry rather than hold more than `max`. A key that is set again keeps its age. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #max: number

  constructor(max: number) {
    super()
    this.#max = max
  }

  override set(key: K, value: V): this {
    if (this.size >= this.#max && !this.has(key)) this.#forgetOldest()
    return super.set(key, value)
  }

  #forgetOldest(): void {
    for (const oldest of this.keys()) {
      this.delete(oldest)
      return
    }
  }
}
