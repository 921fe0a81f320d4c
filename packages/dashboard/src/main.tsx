import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { queryClient } from './daemon/query-client.ts'
import { startStream } from './daemon/stream.ts'
import { applyTheme } from './frame/theme.ts'
import { takeWanted } from './frame/wanted-view.ts'
import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './theme.css'

applyTheme()
if (location.pathname === '/') {
  const wanted = takeWanted(localStorage, Date.now())
  if (wanted !== null) history.replaceState(null, '', wanted)
}
startStream()
const page = document.getElementById('page')
if (page !== null)
  createRoot(page).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  )
