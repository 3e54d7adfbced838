-- A script for wrk: sends the lines of a file, one after the other and over again, and ends with one line of
-- JSON. A line is a body, with headers in front of it that end with tabs. Arguments: the path, the file, the status and the text of each correct response; a text
-- of "" is not looked for, because reading bodies costs the generator more than sending requests.
local threads = {}
local requests = {}
local last = 0
local status_expected, text_expected

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  local path, file = args[1], args[2]
  status_expected, text_expected = tonumber(args[3]), args[4]
  others, other = 0, ''
  local headers = { ['Content-Type'] = 'application/json', ['Accept'] = 'application/json' }
  for line in io.lines(file) do
    local body = line:match('[^\t]*$')
    local all = {}
    for name, value in pairs(headers) do all[name] = value end
    for name, value in line:gmatch('([^\t:]+): ([^\t]*)\t') do all[name] = value end
    requests[#requests + 1] = wrk.format('POST', path, all, body)
  end
end

function request()
  last = last % #requests + 1
  return requests[last]
end

function response(status, _, body)
  if status == status_expected then
    if text_expected == '' or string.find(body, text_expected, 1, true) then return end
  end
  others, other = others + 1, status .. ' ' .. body
end

function done(summary, latency)
  local others, other = 0, ''
  for _, thread in ipairs(threads) do
    others = others + thread:get('others')
    if thread:get('other') ~= '' then other = thread:get('other') end
  end
  local errors = summary.errors
  io.write(string.format(
    '\n{"answers":%d,"durationUs":%d,"p50Us":%d,"p99Us":%d,"others":%d,"broken":%d,"late":%d,"other":"%s"}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), others,
    errors.connect + errors.read + errors.write, errors.timeout,
    string.gsub(other, '[^%w %.,:{}%[%]_-]', '.')
  ))
end
