/**
 * Preloaded in each worker. When one worker process asks for its configuration, jest-light-runner
 * 0.8.2 sends it to all of them and answers no later request: a worker that starts more slowly
 * would wait for ever. Here the early message is kept until it is asked for.
 */
const { emit, send } = process;
let early;

if (send) {
  process.emit = function (event, message, ...rest) {
    if (event === 'message' && message?.type === 'jest-light-runner-worker-data') early = message;
    return emit.call(this, event, message, ...rest);
  };
  process.send = function (message, ...rest) {
    if (message !== 'jest-light-runner-get-worker-data' || !early)
      return send.call(this, message, ...rest);
    return setImmediate(() => process.emit('message', early)) !== undefined;
  };
}
