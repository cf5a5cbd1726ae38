-- Load for wrk, one thread's share: wrk -s http-load.lua URL -- TARGETS SEED
-- TARGETS has a line a request kind: METHOD PATH KEY BODY ("-" for none), and each request is one of them at random.
-- A POST carries a fresh, random Idempotency-Key, as real clients send it. The result is one line of JSON.

local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set('number', threads)
end

function init(args)
  math.randomseed(tonumber(args[2]) + number * 7919)
  heads, tails = {}, {}
  for line in io.lines(args[1]) do
    local method, path, key, body = line:match('^(%S+) (%S+) (%S+) (.+)$')
    local head = method .. ' ' .. path .. ' HTTP/1.1\r\nHost: ' .. wrk.host .. '\r\n'
    if key ~= '-' then head = head .. 'Authorization: Bearer ' .. key .. '\r\n' end
    if method == 'POST' then
      head = head .. 'Content-Type: application/json\r\nContent-Length: ' .. #body .. '\r\nIdempotency-Key: '
    end
    heads[#heads + 1] = head
    tails[#tails + 1] = method == 'POST' and '\r\n\r\n' .. body or nil
  end
  count = #heads
end

local random, format = math.random, string.format

function request()
  local i = random(count)
  local tail = tails[i]
  if tail == nil then return heads[i] .. '\r\n' end
  local key = format('%08x%08x%08x', random(0, 0xffffffff), random(0, 0xffffffff), random(0, 0xffffffff))
  return heads[i] .. key .. tail
end

function done(summary, latency)
  local errors = summary.errors
  io.write(format(
    '\nRESULT {"answered":%d,"seconds":%.6f,"refused":%d,"broken":%d,"p50Ms":%.3f,"p99Ms":%.3f}\n',
    summary.requests, summary.duration / 1e6, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000
  ))
end
