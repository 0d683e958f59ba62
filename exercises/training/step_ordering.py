# %% [markdown] lang="bn"
# # একটি float16 step-এর ক্রম
#
# float16-এ training-এর একটি step মানে কয়েকটি লাইন, আর প্রায় প্রতিটি লাইন দাঁড়িয়ে আছে অন্য কোনো লাইনের ফলের উপর।
# কয়েকটি ভুল ক্রমে PyTorch সঙ্গে সঙ্গে থেমে যায়। কয়েকটি আবার চুপচাপ চলে: loss ছাপা হয়, scale বদলায়, অথচ model শেখে
# অন্য কিছু, বা কিছুই না। এখানে তুমি লাইনগুলো সাজাবে, আর তোমার ক্রমটি সত্যিই চালানো হবে।
#
# Loop-এর আগে একবার এটুকু হয়ে গেছে; তখনো কোনো parameter-এর gradient নেই (`None`):
#
# ```python
# model = make_model().to(device)                  # parameter-গুলো float32
# optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
# scaler = torch.amp.GradScaler(device, init_scale=1024.0)
# for host_x, host_y in loader:                    # প্রতি iteration-এ নতুন batch, CPU-তে
#     ...                                          # তোমার ক্রম, প্রতি iteration-এ একই
# ```
#
# প্রতিটি নাম মানে কী চলে, বর্ণানুক্রমে:
#
# - `backward`: `scaler.scale(loss).backward()`। loss-কে scale দিয়ে গুণ করে gradient বের করে;
#   parameter-এ আগে থেকে gradient থাকলে তার সঙ্গে **যোগ** করে।
# - `clip`: `torch.nn.utils.clip_grad_norm_(model.parameters(), 0.05)`। সব gradient মিলিয়ে দৈর্ঘ্য 0.05-এর
#   বেশি হলে কমিয়ে 0.05 করে।
# - `forward`: `with torch.autocast(device, dtype=torch.float16): loss = mse_loss(model(x), y)`
# - `move_batch`: `x, y = host_x.to(device), host_y.to(device)`
# - `step`: `scaler.step(optimizer)`। gradient-এ `inf` বা `nan` থাকলে এই step বাদ, না থাকলে `optimizer.step()`;
#   আগে কেউ unscale করে না থাকলে নিজেই করে নেয়।
# - `unscale`: `scaler.unscale_(optimizer)`। gradient-গুলোকে scale দিয়ে ভাগ করে, আর `inf` বা `nan` আছে কি না দেখে রাখে।
# - `update`: `scaler.update()`। `inf` বা `nan` পাওয়া গিয়ে থাকলে scale অর্ধেক করে, পরপর অনেক step ভালো গেলে দ্বিগুণ করে।
# - `zero_grad`: `optimizer.zero_grad()`। gradient ফেলে দেয়; আবার `None`।

# %% [markdown] lang="en"
# # The order of a float16 step
#
# One float16 training step is a few lines, and nearly every line stands on what another line left behind.
# For some wrong orders PyTorch stops at once. Others run without a sound: losses are printed, the scale changes,
# and the model learns something else, or nothing. Here you put the lines in order, and your order is really run.
#
# This much was done once, before the loop; no parameter has a gradient yet (`None`):
#
# ```python
# model = make_model().to(device)                  # float32 parameters
# optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
# scaler = torch.amp.GradScaler(device, init_scale=1024.0)
# for host_x, host_y in loader:                    # a new batch in every iteration, on the CPU
#     ...                                          # your order, the same in every iteration
# ```
#
# What each name runs, in the order of the alphabet:
#
# - `backward`: `scaler.scale(loss).backward()`. Multiplies the loss by the scale and computes gradients;
#   where a parameter has a gradient already, it **adds** to it.
# - `clip`: `torch.nn.utils.clip_grad_norm_(model.parameters(), 0.05)`. If all gradients together are longer than 0.05,
#   shortens them to 0.05.
# - `forward`: `with torch.autocast(device, dtype=torch.float16): loss = mse_loss(model(x), y)`
# - `move_batch`: `x, y = host_x.to(device), host_y.to(device)`
# - `step`: `scaler.step(optimizer)`. Skips this step if the gradients hold `inf` or `nan`, else `optimizer.step()`;
#   unscales by itself if nobody has done so.
# - `unscale`: `scaler.unscale_(optimizer)`. Divides the gradients by the scale, and remembers whether they hold `inf` or `nan`.
# - `update`: `scaler.update()`. Halves the scale if `inf` or `nan` was found, doubles it after many good steps in a row.
# - `zero_grad`: `optimizer.zero_grad()`. Drops the gradients; they are `None` again.

# %% [markdown] lang="bn" part="order"
# ## ছয়টি ধাপ
#
# `order`-এ এই ছয়টি নাম ঠিক ক্রমে লেখো, প্রতিটি একবার: `backward`, `forward`, `move_batch`, `step`, `update`, `zero_grad`।
#
# উত্তর হবে string-এর একটি list; tuple, কিংবা comma দিয়ে লেখা একটিই string-ও চলবে। বানান হুবহু এমনই থাকবে।
#
# **কী দেখা হয়।** তোমার ক্রমটি একটি ছোট model-এ কয়েক iteration চলে। প্রতি iteration-এর batch আলাদা, আর একটি batch এমন
# যে scale করা gradient float16-এর সীমা ছাড়িয়ে `inf` হয়ে যায়। প্রতি iteration-এর শেষে weight আর loss scale ঠিক training-এর
# সঙ্গে হুবহু মিলতে হবে (GPU-তে weight-এর জন্য 0.0001 পর্যন্ত ছাড়)। ঠিক ক্রম **একটিই নয়**: যে ক্রমে training একই হয়, সেটিই ঠিক।
# ভুল হলে বলা হবে, চালানোর সময় কী ঘটেছিল। পুরোটা না মিললেও, যে ধাপগুলো নিজেদের মধ্যে ঠিক ক্রমে আছে তার জন্য আংশিক নম্বর আছে।

# %% [markdown] lang="en" part="order"
# ## Six steps
#
# Write these six names into `order`, in a right order, each once: `backward`, `forward`, `move_batch`, `step`, `update`, `zero_grad`.
#
# The answer is a list of strings; a tuple, or one string with commas, will do as well. Spell the names exactly like this.
#
# **What is checked.** Your order runs on a small model for several iterations. Every iteration has a batch of its own,
# and one batch makes scaled gradients that pass float16's limit and become `inf`. After every iteration the weights and the
# loss scale must be exactly those of right training (on a GPU the weights may be off by 0.0001). There is **more than one**
# right order: whatever trains the same is right. If yours does not, you are told what happened when it ran.
# Short of that, steps that stand in a right order among themselves earn part of the points.

# %% part="order"
order = ...  # তোমার উত্তর এখানে / your answer here

# %% [markdown] lang="bn" part="order_with_clipping"
# ## Gradient clipping-সহ আটটি ধাপ
#
# `order_with_clipping`-এ ওই ছয়টির সঙ্গে আরও দুটি নাম বসাও: `clip` আর `unscale`। মোট আটটি নাম, প্রতিটি একবার।
#
# ভাবো: 0.05 সীমাটি কোন gradient-এর জন্য, আসলটির, নাকি scale দিয়ে গুণ করাটির? আর কমানো gradient ব্যবহার করবে কে?
# `clip` ভুল জায়গায় থাকলে PyTorch প্রায়ই কিছু বলে না; ধরা পড়ে শুধু weight দেখলে।

# %% [markdown] lang="en" part="order_with_clipping"
# ## Eight steps, with gradient clipping
#
# In `order_with_clipping` place two more names among those six: `clip` and `unscale`. Eight names in all, each once.
#
# Think: which gradients is the limit 0.05 meant for, the true ones or those multiplied by the scale? And who uses the
# shortened gradients? If `clip` stands in the wrong place PyTorch often says nothing; only the weights show it.

# %% part="order_with_clipping"
order_with_clipping = ...  # তোমার উত্তর এখানে / your answer here
