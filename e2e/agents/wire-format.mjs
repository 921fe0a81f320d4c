// How each model API lists its tools and spells one answer: a text or one tool call.
import { randomUUID } from 'node:crypto'

const newId = prefix => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 24)}`

function stream(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  return (event, data) => response.write(`${event === null ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`)
}

export const claudeTurn = {
  tools: body => (body.tools ?? []).map(tool => tool.name),
  send(response, { body, step, call }) {
    const block =
      call === null ? { type: 'text', text: step.text } : { type: 'tool_use', id: newId('toolu'), name: call.name, input: call.input }
    const usage = { input_tokens: step.tokens ?? 1000, output_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
    const message = { id: newId('msg'), type: 'message', role: 'assistant', model: body.model, stop_sequence: null, usage }
    const stop_reason = call === null ? 'end_turn' : 'tool_use'
    if (body.stream !== true) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...message, content: [block], stop_reason }))
      return
    }
    const send = stream(response)
    const event = (type, data) => send(type, { type, ...data })
    event('message_start', { message: { ...message, content: [], stop_reason: null } })
    const empty = call === null ? { type: 'text', text: '' } : { ...block, input: {} }
    const delta =
      call === null ? { type: 'text_delta', text: step.text } : { type: 'input_json_delta', partial_json: JSON.stringify(call.input) }
    event('content_block_start', { index: 0, content_block: empty })
    event('content_block_delta', { index: 0, delta })
    event('content_block_stop', { index: 0 })
    event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 20 } })
    event('message_stop', {})
    response.end()
  },
}

export const geminiTurn = {
  tools: body => (body.tools ?? []).flatMap(tool => (tool.functionDeclarations ?? []).map(({ name }) => name)),
  send(response, { url, step, call }) {
    const part = call === null ? { text: step.text } : { functionCall: { name: call.name, args: call.input, id: newId('call') } }
    const answer = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      modelVersion: 'scripted',
    }
    if (/:streamGenerateContent/.test(url)) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`data: ${JSON.stringify(answer)}\r\n\r\n`)
    } else {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer))
    }
  },
}

export const responsesTurn = {
  tools: body => (body.tools ?? []).map(tool => tool.name ?? tool.type),
  send(response, { step, call }) {
    const id = newId('resp')
    const item =
      call === null
        ? { type: 'message', id: newId('msg'), role: 'assistant', content: [{ type: 'output_text', text: step.text, annotations: [] }] }
        : { type: 'function_call', id: newId('fc'), call_id: newId('call'), name: call.name, arguments: JSON.stringify(call.input) }
    const usage = {
      input_tokens: step.tokens ?? 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: (step.tokens ?? 10) + 5,
    }
    const send = stream(response)
    const event = (type, data) => send(type, { type, ...data })
    event('response.created', { response: { id } })
    event('response.output_item.done', { output_index: 0, item })
    event('response.completed', { response: { id, output: [item], usage } })
    response.end()
  },
}

export const chatTurn = {
  tools: body => (body.tools ?? []).map(tool => tool.function?.name),
  send(response, { body, step, call }) {
    const base = { id: newId('chat'), created: 0, model: body.model }
    const tool_calls =
      call === null
        ? undefined
        : [{ index: 0, id: newId('call'), type: 'function', function: { name: call.name, arguments: JSON.stringify(call.input) } }]
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    const finish_reason = call === null ? 'stop' : 'tool_calls'
    const message = { role: 'assistant', content: call === null ? step.text : null, ...(tool_calls === undefined ? {} : { tool_calls }) }
    if (body.stream !== true) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage }))
      return
    }
    const send = stream(response)
    const chunk = (delta, reason, more) =>
      send(null, { ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }], ...more })
    chunk({ ...message, content: message.content ?? '' }, null, {})
    chunk({}, finish_reason, { usage })
    response.end('data: [DONE]\n\n')
  },
}
