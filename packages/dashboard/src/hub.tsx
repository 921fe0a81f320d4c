import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './daemon/query-client.ts'
import { applyTheme } from './frame/theme.ts'
import { HubApp } from './hub/hub-app.tsx'
import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './theme.css'

applyTheme()
const page = document.getElementById('page')
if (page !== null)
  createRoot(page).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <HubApp />
      </QueryClientProvider>
    </StrictMode>,
  )
