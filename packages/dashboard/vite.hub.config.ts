import { join } from 'node:path'
import { defineConfig, mergeConfig } from 'vite'
import page from './vite.config.ts'

// The page that the hub serves: the same parts, another document.
export default mergeConfig(
  page,
  defineConfig({
    build: { outDir: '../hub/dist/web', rolldownOptions: { input: join(import.meta.dirname, 'hub.html') } },
  }),
)
