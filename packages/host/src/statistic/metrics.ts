// Counters and latency for /metrics, in the text form Prometheus reads.

export interface Metrics {
  /** What to call for each one there is: its name is put together once. */
  counter(name: string, labels?: Readonly<Record<string, string>>): () => void
  observe(name: string, seconds: number): void
  gauge(name: string, read: () => number): void
  render(): string
}

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

interface Histogram {
  readonly buckets: number[]
  sum: number
  count: number
}

export function createMetrics(): Metrics {
  const counters = new Map<string, number>()
  const histograms = new Map<string, Histogram>()
  const gauges = new Map<string, () => number>()
  return {
    counter(name, labels = {}) {
      const key = `${name}${formatLabels(labels)}`
      return () => void counters.set(key, (counters.get(key) ?? 0) + 1)
    },
    observe(name, seconds) {
      const histogram = histograms.get(name) ?? addHistogram(histograms, name)
      histogram.sum += seconds
      histogram.count++
      // Counted once, where it fits first; those above add up when they are shown.
      let fits = 0
      while (fits < BUCKETS.length && seconds > (BUCKETS[fits] ?? 0)) fits++
      if (fits < BUCKETS.length) histogram.buckets[fits] = (histogram.buckets[fits] ?? 0) + 1
    },
    gauge: (name, read) => void gauges.set(name, read),
    render() {
      const lines = [...counters].map(([key, value]) => `${key} ${value}`)
      for (const [name, read] of gauges) lines.push(`${name} ${read()}`)
      for (const [name, { buckets, sum, count }] of histograms) {
        let within = 0
        for (const [index, limit] of BUCKETS.entries()) {
          within += buckets[index] ?? 0
          lines.push(`${name}_bucket{le="${limit}"} ${within}`)
        }
        lines.push(`${name}_bucket{le="+Inf"} ${count}`, `${name}_sum ${sum}`, `${name}_count ${count}`)
      }
      return `${lines.join('\n')}\n`
    },
  }
}

function addHistogram(histograms: Map<string, Histogram>, name: string): Histogram {
  const histogram = { buckets: BUCKETS.map(() => 0), sum: 0, count: 0 }
  histograms.set(name, histogram)
  return histogram
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  let text = ''
  for (const name of Object.keys(labels)) text += `${text === '' ? '' : ','}${name}="${escapeLabel(labels[name] ?? '')}"`
  return text === '' ? '' : `{${text}}`
}

const SPECIAL = /[\\"\n]/

function escapeLabel(value: string): string {
  return SPECIAL.test(value) ? value.replace(/[\\"\n]/g, character => (character === '\n' ? '\\n' : `\\${character}`)) : value
}
